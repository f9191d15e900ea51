"""Construction of facts about saved PIR programs."""

from __future__ import annotations

from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fact import Kind
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Declared


def program_fact(  # noqa: PLR0913 - the fields of a fact
    event: EventId,
    op: str,
    kind: Kind,
    name: str,
    *,
    sides: tuple[Declared | None, Declared | None],
    facts: Mapping[str, object] | None = None,
) -> Fact:
    """Return the fact that a change of an op, or of one of its arguments, affects saved programs.

    Args:
        event: the name of the effect.
        op: the name of the op in programs.
        kind: the kind of the changed item: the op, or an input, output or attr.
        name: the name of the changed item in programs.
        sides: its declarations in base and head, None if one lacks it.
        facts: the values for the templates of the rule.
    """
    before, after = sides
    return Fact(
        event=event,
        kind=kind,
        op=op,
        name=name,
        before=before,
        after=after,
        origins=(None if before is None else before.origin, None if after is None else after.origin),
        facts=facts or {},
        describe=_describe,
    )


def _describe(fact: Fact) -> Mapping[str, object]:
    """Return the old and the new value, for the templates of rules."""
    return {"old": fact.old, "new": fact.new}

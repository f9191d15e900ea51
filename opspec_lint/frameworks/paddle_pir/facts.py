"""The facts about programs of PIR: how a loader of head reads one of base, and which patches are wrong."""

from __future__ import annotations

from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fact import Kind
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Declared


def program_fact(  # noqa: PLR0913 - a fact is what it says
    event: EventId,
    op: str,
    kind: Kind,
    name: str,
    *,
    sides: tuple[Declared | None, Declared | None],
    facts: Mapping[str, object] | None = None,
) -> Fact:
    """Return how a change affects existing programs.

    It is about the op, and what of it, under the name that programs have.

    Args:
        event: what happens.
        op: the op.
        kind: the kind of what it is about.
        name: the name of that.
        sides: what base and head declare, None where one does not.
        facts: what the templates of the event's rule can name.
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
    """Return both values."""
    return {"old": fact.old, "new": fact.new}

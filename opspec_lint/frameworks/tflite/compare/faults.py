"""The facts about op versions on which the files of a TFLite tree disagree."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Op, Origin


class Disagreement(Record):
    """A contradiction between files of a tree, on an op or one of its options.

    `fact` states it, `versions` are the op versions concerned, and `needs` the fields without which it cannot be found.
    """

    fact: Fact
    versions: tuple[int, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[EventId, str | None, str | None]:
        """Identity among the contradictions of an op; two with the same key may concern different versions."""
        return self.fact.event, self.fact.name, self.fact.field

    def as_new_fact(self, place: Origin | None, versions: tuple[int, ...] = ()) -> Fact:
        """Return the fact for a disagreement that only head has.

        `place` is the place in base of what disagrees. With `versions`, it is about these versions of the op alone.
        """
        fact = self.fact.replace(origins=(place, self.fact.origins[1]))
        if not versions:
            return fact
        return fact.replace(new=list(versions), facts={**fact.facts, "versions": format_versions(versions)})


def op_fact(  # noqa: PLR0913 - a fact is what it says
    op: Op,
    event: EventId,
    versions: tuple[int, ...],
    field: str,
    *,
    facts: Mapping[str, object] | None = None,
    old: Any = None,
    new: Any = None,
    place: Origin | None = None,
    base_place: Origin | None = None,
) -> Fact:
    """Return the fact that files disagree on versions of an op.

    `field` is the field that contradicts the others, `facts` are further values for the templates of the rule, and
    `place` and `base_place` are the places in head and in base.
    """
    return Fact(
        event=event,
        kind="op",
        op=op.name,
        name=op.name,
        field=field,
        old=old,
        new=new,
        origins=(base_place, place),
        facts={"versions": format_versions(versions), **(facts or {})},
    )


def op_disagreement(  # noqa: PLR0913 - a fact is what it says
    op: Op,
    event: EventId,
    versions: tuple[int, ...],
    field: str,
    *,
    needs: tuple[str, ...],
    new: Any,
    place: Origin | None,
    facts: Mapping[str, object] | None = None,
) -> Disagreement:
    """Return the disagreement of the files of one tree on versions of an op.

    `needs` are the fields that have to be known; the others are as in `op_fact`.
    """
    fact = op_fact(op, event, versions, field, facts=facts, new=new, place=place)
    return Disagreement(fact=fact, versions=versions, needs=needs)


def option_fact(  # noqa: PLR0913 - a fact is what it says
    op: Op, attr: Attr, event: EventId, field: str, facts: Mapping[str, object], *, new: Any = None
) -> Fact:
    """Return the fact that files disagree on an option of an op; the arguments are as in `op_fact`."""
    return Fact(
        event=event,
        kind="attr",
        op=op.name,
        name=attr.name,
        field=field,
        new=new,
        origins=(None, attr.origin),
        facts=facts,
    )


def format_versions(versions: tuple[int, ...]) -> str:
    """Return versions as text: `version 5`, `versions 3 to 5`, `versions 1, 3`."""
    if len(versions) == 1:
        return f"version {versions[0]}"
    if versions and list(versions) == list(range(versions[0], versions[-1] + 1)) and len(versions) > 2:
        return f"versions {versions[0]} to {versions[-1]}"
    return f"versions {', '.join(map(str, versions))}"

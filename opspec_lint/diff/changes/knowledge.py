"""The facts about fields that only one of two specs knows: one fact for each field, with the number of ops.

A field that one side does not know cannot be compared. A change of it would not be reported, now or in a later change,
so a loss of knowledge is a fact of its own.
"""

from __future__ import annotations

from opspec_lint.kit.text import plural, shorten
from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal, TypeAlias

    Event: TypeAlias = Literal["knowledge_lost", "knowledge_gained", "extra_learned"]
    Thing: TypeAlias = tuple[str, str]
    """An op, and the name of its argument or update, "" for the op itself."""

_LONGEST = 200
"""Characters of the names of ops in a sentence; the finding holds all of them."""
_NAMED = 3
"""How many ops a sentence names."""

UPDATE_DEFAULTS = "op_versions.default_value"
"""A field of updates of op versions that a source may not know."""
SPEC_PARTS = {
    "op_versions": "the op versions",
    "graph_versions": "the graph versions",
    "producer_since": "the date when it began to write graphs of its version",
    "earlier": "the earlier declarations",
    "listed": "the list",
}
"""Parts of a spec that are not fields of an op or argument, in words."""


def knowledge_changed(
    event: Event, field: str, things: Sequence[Thing] = (), thing: str = "", *, is_extra: bool = False
) -> Fact:
    """Return that only one side knows a field.

    Args:
        event: `knowledge_lost` if base alone knows it, `knowledge_gained` if head does, `extra_learned` if head says of
            arguments of base that they are extra, and base does not know whether they are.
        field: the field.
        things: the subjects, none if it is about the spec as a whole.
        thing: their kind: "op", "attr", "argument", "update", "" if it is about the spec as a whole.
        is_extra: whether base says that all of them are extra.
    """
    made = Fact(event=event, kind="source", field=field, facts={"thing": thing})
    return _of_things(made.replace(is_exempt=is_extra and field != "extra"), tuple(things))


def drop_ignored_ops(fact: Fact, is_ignored: Callable[[str], bool]) -> Fact | None:
    """Return a fact about several ops without some of them, None if none is left; any other fact as it is."""
    kept = tuple(each for each in fact.things if not is_ignored(each[0]))
    if len(kept) == len(fact.things):
        return fact
    return _of_things(fact, kept) if kept else None


def _of_things(fact: Fact, things: tuple[Thing, ...]) -> Fact:
    """Return a fact for other things: what it says of them depends on who knows the field."""
    names = [f"{op}.{name}" if name else op for op, name in things]
    ops = list(dict.fromkeys(op for op, _ in things))
    if fact.event == "knowledge_lost":
        sides: tuple[object, object] = (names or None, None)
    else:
        sides = (None, names if fact.event == "extra_learned" else ops or None)
    what = SPEC_PARTS.get(str(fact.field)) or f"`{str(fact.field).rpartition('.')[2]}`"
    shown = _shown(things, ops, str(fact.facts["thing"]))
    facts = {**fact.facts, "what": f"{what} of {shown}" if shown else what, "things": shown}
    return fact.replace(things=things, old=sides[0], new=sides[1], facts=facts)


def _shown(things: Sequence[Thing], ops: Sequence[str], thing: str) -> str:
    if not ops:
        return ""
    named = shorten(", ".join(ops[:_NAMED]), _LONGEST) + ", ..." * (len(ops) > _NAMED)
    shown = f"the op '{ops[0]}'" if len(ops) == 1 else f"{len(ops)} ops ({named})"
    return shown if thing == "op" else f"{plural(len(things), thing)} of {shown}"

"""Constructors of facts about fields that only one of two specs knows: one fact per field, with the number of ops.

A field that one side does not know cannot be compared. Its changes would not be reported, now or later, so the loss of
knowledge is itself a fact.
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
"""The most characters of the names of ops in a sentence; the finding contains all of them."""
_MOST_NAMED = 3
"""The number of ops that a sentence names."""

UPDATE_DEFAULTS = "op_versions.default_value"
"""The default values in updates of op versions, which a source may not know, as the name of a field."""
SPEC_PARTS = {
    "op_versions": "the op versions",
    "graph_versions": "the graph versions",
    "producer_since": "the date when it began to write graphs of its version",
    "earlier": "the earlier declarations",
    "listed": "the list",
}
"""The parts of a spec that are not fields of an op or argument, as phrases."""


def knowledge_changed(
    event: Event, field: str, things: Sequence[Thing] = (), thing: str = "", *, is_extra: bool = False
) -> Fact:
    """Return the fact that only one side knows a field.

    Args:
        event: `knowledge_lost` if only base knows it, `knowledge_gained` if only head does, `extra_learned` if head
            states that arguments of base are extra, and base does not know whether they are.
        field: the field.
        things: the ops or arguments; empty for a part of the spec as a whole.
        thing: the kind of the things: "op", "attr", "argument" or "update"; "" for a part of the spec as a whole.
        is_extra: whether base states that all of the arguments are extra.
    """
    fact = Fact(event=event, kind="source", field=field, facts={"thing": thing})
    return _fact_for_things(fact.replace(is_exempt=is_extra and field != "extra"), tuple(things))


def drop_ignored_ops(fact: Fact, is_ignored: Callable[[str], bool]) -> Fact | None:
    """Return a fact about several ops without the ignored ops, None if no op is left; any other fact unchanged."""
    kept = tuple((op, name) for op, name in fact.things if not is_ignored(op))
    if len(kept) == len(fact.things):
        return fact
    return _fact_for_things(fact, kept) if kept else None


def _fact_for_things(fact: Fact, things: tuple[Thing, ...]) -> Fact:
    """Return a fact with other things; the texts that depend on them are made anew."""
    names = [f"{op}.{name}" if name else op for op, name in things]
    ops = list(dict.fromkeys(op for op, _ in things))
    old: object = None
    new: object = None
    if fact.event == "knowledge_lost":
        old = names or None
    else:
        new = names if fact.event == "extra_learned" else ops or None
    what = SPEC_PARTS.get(str(fact.field)) or f"`{str(fact.field).rpartition('.')[2]}`"
    things_text = _show_things(things, ops, str(fact.facts["thing"]))
    facts = {**fact.facts, "what": f"{what} of {things_text}" if things_text else what, "things": things_text}
    return fact.replace(things=things, old=old, new=new, facts=facts)


def _show_things(things: Sequence[Thing], ops: Sequence[str], thing: str) -> str:
    """Return things as a phrase: `3 attrs of 2 ops (abs, relu)`."""
    if not ops:
        return ""
    named = shorten(", ".join(ops[:_MOST_NAMED]), _LONGEST) + ", ..." * (len(ops) > _MOST_NAMED)
    shown = f"the op '{ops[0]}'" if len(ops) == 1 else f"{len(ops)} ops ({named})"
    return shown if thing == "op" else f"{plural(len(things), thing)} of {shown}"

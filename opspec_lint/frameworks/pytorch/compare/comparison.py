"""The facts that tell two schemas of an op apart, each with the refusals of the predicates that come from it.

Arguments are paired by name, so that a fact is about what somebody edited; the predicates compare by position, so that
one edit may be the reason of several refusals. Every refusal is the reason of one fact at least.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.compare.predicates import (
    backward,
    differ,
    first_out,
    forward,
    is_assignable,
    is_out,
)
from opspec_lint.frameworks.pytorch.facts import promised, remark, schema_change
from opspec_lint.frameworks.pytorch.schemas.text import show, show_argument
from opspec_lint.spec.model import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from opspec_lint.frameworks.pytorch.compare.predicates import Aspect, Refusal
    from opspec_lint.spec.fact import Direction, Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Input, Op

    _Both: TypeAlias = tuple[Input | Output | None, Input | Output | None]

_ADDED: EventId = "schema_argument_added"
_REMOVED: EventId = "schema_argument_removed"
_RENAMED: EventId = "schema_argument_renamed"
_MOVED: EventId = "schema_arguments_reordered"
_RETURN_RENAMED: EventId = "schema_return_renamed"
_BY_ASPECT: Mapping[Aspect, tuple[EventId, ...]] = {
    "varargs": ("schema_varargs_changed",),
    "returns": ("schema_return_added", "schema_return_removed"),
    "fewer": (_REMOVED,),
    "type": ("schema_type_changed", "schema_return_type_changed"),
    "alias": ("schema_alias_changed",),
    "default": ("schema_default_added", "schema_default_changed", "schema_default_removed"),
    "keyword": ("schema_made_keyword",),
}
"""The events that are the reason of a refusal."""


def compare(old: Op, new: Op) -> list[Fact]:
    """Return the facts that tell two schemas apart."""
    facts = [*_of_op(old, new), *_of_arguments(old, new), *_of_returns(old, new)]
    if not facts:
        return []
    refused: list[set[Direction]] = [set() for _ in facts]
    ways: tuple[tuple[Direction, Iterator[Refusal]], ...] = (
        ("backward", backward(old, new)),
        ("forward", forward(old, new)),
    )
    for direction, refusals in ways:
        for refusal in refusals:
            for place in _causes(refusal, facts):
                refused[place].add(direction)
    schemas, promise = (show(old), show(new)), promised(old)
    return [
        fact.replace(
            promise=promise,
            remark=remark("", promise),
            declared=schemas,
            refused=tuple(sorted(found)),
            broken=tuple(sorted(found | _unseen(fact))),
        )
        for fact, found in zip(facts, refused, strict=True)
    ]


def _unseen(fact: Fact) -> set[Direction]:
    """Return the directions in which calls break by a fact, of those that the predicates do not look at."""
    if fact.event == _REMOVED:
        return set() if fact.before is None or fact.before.get("default") else {"forward"}
    if fact.event == _ADDED:
        return set() if fact.after is None or fact.after.get("default") else {"backward"}
    if fact.event == "schema_return_type_changed":
        fits = fact.before and fact.after and is_assignable(fact.before, fact.after)  # type: ignore[arg-type]
        return set() if fits else {"forward"}
    is_of_return = fact.kind == "output" and fact.event in (_RETURN_RENAMED, "schema_alias_changed")
    return {"forward"} if is_of_return else set()


def _causes(refusal: Refusal, facts: list[Fact]) -> list[int]:
    """Return the places of the facts that a refusal comes from."""
    places = range(len(facts))
    if refusal.aspect in _BY_ASPECT:
        events = _BY_ASPECT[refusal.aspect]
        found = [place for place in places if facts[place].event in events and _is_about(facts[place], refusal)]
        if found or refusal.old is not None:
            return found  # none where two other arguments stand at one position, which their names tell
    else:
        found = [place for place in places if _is_subject(facts[place], refusal)]
    if refusal.aspect == "outs":
        found = [place for place in places if _changes_outs(facts[place])]
    shifts = [place for place in places if facts[place].event in (_ADDED, _REMOVED)]
    moves = [place for place in places if facts[place].event in (_RENAMED, _MOVED)]
    return found or shifts or moves or list(places)


def _is_about(fact: Fact, refusal: Refusal) -> bool:
    return refusal.old is None or (fact.before is refusal.old and fact.after is refusal.new)


def _is_subject(fact: Fact, refusal: Refusal) -> bool:
    """Tell whether a fact is about one of the arguments at a position that has another name, or needs a default."""
    if fact.event in (_RENAMED, _RETURN_RENAMED):
        return fact.before is refusal.old and fact.after is refusal.new
    things = (fact.before if fact.event == _REMOVED else None, fact.after if fact.event == _ADDED else None)
    return any(thing is not None and (thing is refusal.old or thing is refusal.new) for thing in things)


def _changes_outs(fact: Fact) -> bool:
    sides = [each is not None and fact.kind == "input" and is_out(each) for each in (fact.before, fact.after)]  # type: ignore[arg-type]
    return sides[0] != sides[1]


def _of_op(old: Op, new: Op) -> Iterator[Fact]:
    for field, what in (("vararg", "arguments"), ("varret", "returns")):
        if differ(old, new, field):
            was, now = (f"any number of {what}" if op.get(field) else f"the {what} that it names" for op in (old, new))
            yield schema_change("schema_varargs_changed", old, "op", (old, new), (was, now))


def _of_arguments(old: Op, new: Op) -> Iterator[Fact]:
    before = {each.name: each for each in old.inputs}
    after = {each.name: each for each in new.inputs}
    renamed = dict(_renames(old, new, before, after))
    gone = [each for each in old.inputs if each.name not in after and each.name not in renamed]
    come = [each for each in new.inputs if each.name not in before and each.name not in renamed.values()]
    lost = {each.name for each in gone}
    for each in gone:
        yield _fact(old, _REMOVED, (each, None), show_argument(each), None)
    for each in come:
        yield _fact(old, _ADDED, (None, each), None, show_argument(each))
    pairs = [(each, after[renamed.get(each.name, each.name)]) for each in old.inputs if each.name not in lost]
    order = [each.name for each in new.inputs if each.name in before or each.name in renamed.values()]
    was = [now.name for _, now in pairs]
    if was != order:
        yield _moved(old, pairs, order)
    for one, other in pairs:
        if one.name != other.name:
            yield _fact(old, _RENAMED, (one, other), one.name, other.name)
        yield from _of_argument(old, one, other)


def _renames(old: Op, new: Op, before: Mapping[str, Input], after: Mapping[str, Input]) -> Iterator[tuple[str, str]]:
    """Yield the old and the new name of arguments that stand where one of the same type stood."""
    first, now = first_out(old), first_out(new)
    pairs = [*zip(old.inputs[:first], new.inputs[:now], strict=False)]
    pairs += zip(old.inputs[first:], new.inputs[now:], strict=False)
    for one, other in pairs:
        if one.name not in after and other.name not in before and not differ(one, other, "type"):
            yield one.name, other.name


def _moved(op: Op, pairs: list[tuple[Input, Input]], order: list[str]) -> Fact:
    """Return the fact that arguments stand in another order, told of the first one that is not where it was."""
    place = next(at for at, (_, now) in enumerate(pairs) if now.name != order[at])
    one, other = pairs[place]
    was = ", ".join(each.name for each, _ in pairs)
    return _fact(op, _MOVED, (one, other), was, ", ".join(order))


def _of_argument(op: Op, old: Input, new: Input) -> Iterator[Fact]:
    if differ(old, new, "type"):
        yield _fact(op, "schema_type_changed", (old, new), str(old.type), str(new.type))
    was, now = old.get("default"), new.get("default")
    if differ(old, new, "default"):
        yield _fact(op, _default_event(was, now), (old, new), was, now)
    if differ(old, new, "keyword_only"):
        event: EventId = "schema_made_keyword" if new.get("keyword_only") else "schema_made_positional"
        yield _fact(op, event, (old, new), show_argument(old), show_argument(new))
    if differ(old, new, "alias"):
        yield _fact(op, "schema_alias_changed", (old, new), show_argument(old), show_argument(new))


def _of_returns(old: Op, new: Op) -> Iterator[Fact]:
    for one, other in zip(old.outputs, new.outputs, strict=False):
        if one.name != other.name:
            yield _fact(old, _RETURN_RENAMED, (one, other), one.name, other.name)
        if differ(one, other, "type"):
            yield _fact(old, "schema_return_type_changed", (one, other), str(one.type), str(other.type))
        if differ(one, other, "alias"):
            yield _fact(old, "schema_alias_changed", (one, other), show_argument(one), show_argument(other))
    for each in old.outputs[len(new.outputs) :]:
        yield _fact(old, "schema_return_removed", (each, None), show_argument(each), None)
    for each in new.outputs[len(old.outputs) :]:
        yield _fact(old, "schema_return_added", (None, each), None, show_argument(each))


def _default_event(was: str | None, now: str | None) -> EventId:
    if was is None:
        return "schema_default_added"
    return "schema_default_removed" if now is None else "schema_default_changed"


def _fact(op: Op, event: EventId, things: _Both, old: str | None, new: str | None) -> Fact:
    """Return a fact about an argument or return in base and in head, and what differs of it."""
    is_return = isinstance(things[0] or things[1], Output)
    return schema_change(event, op, "output" if is_return else "input", things, (old, new))

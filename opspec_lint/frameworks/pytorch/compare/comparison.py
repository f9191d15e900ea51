"""The facts about the differences of two schemas of an op, each with the refusals that it causes.

Two views are joined. Facts pair arguments by name: they state what was edited. PyTorch's predicates (`predicates.py`)
pair them by position: one edit may cause several refusals. Each refusal is assigned to the facts that cause it, and to
at least one.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.compare.predicates import (
    backward,
    first_out,
    forward,
    is_assignable,
    is_changed,
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

    _Sides: TypeAlias = tuple[Input | Output | None, Input | Output | None]

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
"""The events that may cause a refusal, by its aspect."""


def compare(old: Op, new: Op) -> list[Fact]:
    """Return the facts about the differences of two schemas, with the directions in which calls break."""
    facts = [*_op_changes(old, new), *_arguments_changes(old, new), *_returns_changes(old, new)]
    if not facts:
        return []
    refused: list[set[Direction]] = [set() for _ in facts]
    ways: tuple[tuple[Direction, Iterator[Refusal]], ...] = (
        ("backward", backward(old, new)),
        ("forward", forward(old, new)),
    )
    for direction, refusals in ways:
        for refusal in refusals:
            for place in _find_causes(refusal, facts):
                refused[place].add(direction)
    schemas, promise = (show(old), show(new)), promised(old)
    return [
        fact.replace(
            promise=promise,
            remark=remark("", promise),
            declared=schemas,
            # Sorted, as the order of a set of strings differs from run to run.
            refused=tuple(sorted(directions)),
            broken=tuple(sorted(directions | _missed_directions(fact))),
        )
        for fact, directions in zip(facts, refused, strict=True)
    ]


def _missed_directions(fact: Fact) -> set[Direction]:
    """Return the directions in which a fact breaks calls although the predicates accept it."""
    # `isForwardCompatibleWith` compares no argument that is missing at the end of the new schema.
    if fact.event == _REMOVED:
        return set() if fact.before is None or fact.before.get("default") else {"forward"}
    if fact.event == _ADDED:
        return set() if fact.after is None or fact.after.get("default") else {"backward"}
    if fact.event == "schema_return_type_changed":
        fits = fact.before and fact.after and is_assignable(fact.before, fact.after)  # type: ignore[arg-type]
        return set() if fits else {"forward"}
    is_of_return = fact.kind == "output" and fact.event in (_RETURN_RENAMED, "schema_alias_changed")
    return {"forward"} if is_of_return else set()


def _find_causes(refusal: Refusal, facts: list[Fact]) -> list[int]:
    """Return the indices of the facts that cause a refusal: those about what it compares, else the next likely ones."""
    if refusal.aspect in _BY_ASPECT:
        events = _BY_ASPECT[refusal.aspect]
        causes = [
            index for index, fact in enumerate(facts) if fact.event in events and _matches_arguments(fact, refusal)
        ]
        if causes or refusal.old is not None:
            # No cause where different arguments are at one position: the refusal of their names is assigned instead.
            return causes
    else:
        causes = [index for index, fact in enumerate(facts) if _names_argument(fact, refusal)]
    if refusal.aspect == "outs":
        causes = [index for index, fact in enumerate(facts) if _changes_outs(fact)]
    # Without a direct cause, an argument that came or went moved the others; else a rename or reorder did.
    shifts = [index for index, fact in enumerate(facts) if fact.event in (_ADDED, _REMOVED)]
    moves = [index for index, fact in enumerate(facts) if fact.event in (_RENAMED, _MOVED)]
    return causes or shifts or moves or list(range(len(facts)))


def _matches_arguments(fact: Fact, refusal: Refusal) -> bool:
    """Return whether a fact is about the arguments that a refusal compares; a refusal may compare none."""
    return refusal.old is None or (fact.before is refusal.old and fact.after is refusal.new)


def _names_argument(fact: Fact, refusal: Refusal) -> bool:
    """Return whether a fact renames, removes or adds an argument that a refusal is about."""
    if fact.event in (_RENAMED, _RETURN_RENAMED):
        return fact.before is refusal.old and fact.after is refusal.new
    things = (fact.before if fact.event == _REMOVED else None, fact.after if fact.event == _ADDED else None)
    return any(thing is not None and (thing is refusal.old or thing is refusal.new) for thing in things)


def _changes_outs(fact: Fact) -> bool:
    """Return whether an argument is an out argument on one side only."""
    sides = [side is not None and fact.kind == "input" and is_out(side) for side in (fact.before, fact.after)]  # type: ignore[arg-type]
    return sides[0] != sides[1]


def _op_changes(old: Op, new: Op) -> Iterator[Fact]:
    """Yield the facts about `...` behind the arguments and returns of an op."""
    for field, what in (("vararg", "arguments"), ("varret", "returns")):
        if is_changed(old, new, field):
            was, now = (f"any number of {what}" if op.get(field) else f"the {what} that it names" for op in (old, new))
            yield schema_change("schema_varargs_changed", old, "op", (old, new), (was, now))


def _arguments_changes(old: Op, new: Op) -> Iterator[Fact]:
    """Yield the facts about arguments: removed, added, in another order, renamed, or changed."""
    old_by_name = {argument.name: argument for argument in old.inputs}
    new_by_name = {argument.name: argument for argument in new.inputs}
    new_names = dict(_pair_renamed(old, new, old_by_name, new_by_name))
    pairs: list[tuple[Input, Input]] = []
    for argument in old.inputs:
        counterpart = new_by_name.get(new_names.get(argument.name, argument.name))
        if counterpart is None:
            yield _fact(old, _REMOVED, (argument, None), show_argument(argument), None)
        else:
            pairs.append((argument, counterpart))
    order: list[str] = []
    for argument in new.inputs:
        if argument.name in old_by_name or argument.name in new_names.values():
            order.append(argument.name)
        else:
            yield _fact(old, _ADDED, (None, argument), None, show_argument(argument))
    if [new_argument.name for _, new_argument in pairs] != order:
        yield _reorder_fact(old, pairs, order)
    for old_argument, new_argument in pairs:
        if old_argument.name != new_argument.name:
            yield _fact(old, _RENAMED, (old_argument, new_argument), old_argument.name, new_argument.name)
        yield from _argument_changes(old, old_argument, new_argument)


def _pair_renamed(
    old: Op, new: Op, before: Mapping[str, Input], after: Mapping[str, Input]
) -> Iterator[tuple[str, str]]:
    """Yield the old and new names of arguments that have the same position and type, and a new name."""
    old_outs, new_outs = first_out(old), first_out(new)
    # Out arguments are paired apart from the others, as the predicates compare them.
    pairs = [*zip(old.inputs[:old_outs], new.inputs[:new_outs], strict=False)]
    pairs += zip(old.inputs[old_outs:], new.inputs[new_outs:], strict=False)
    for old_argument, new_argument in pairs:
        if (
            old_argument.name not in after
            and new_argument.name not in before
            and not is_changed(old_argument, new_argument, "type")
        ):
            yield old_argument.name, new_argument.name


def _reorder_fact(op: Op, pairs: list[tuple[Input, Input]], order: list[str]) -> Fact:
    """Return the fact that the order of arguments changed; it names the first argument that is out of place."""
    place = next(at for at, (_, now) in enumerate(pairs) if now.name != order[at])
    old_argument, new_argument = pairs[place]
    was = ", ".join(argument.name for argument, _ in pairs)
    return _fact(op, _MOVED, (old_argument, new_argument), was, ", ".join(order))


def _argument_changes(op: Op, old: Input, new: Input) -> Iterator[Fact]:
    """Yield the facts about the fields of an argument that both sides have."""
    if is_changed(old, new, "type"):
        yield _fact(op, "schema_type_changed", (old, new), str(old.type), str(new.type))
    was, now = old.get("default"), new.get("default")
    if is_changed(old, new, "default"):
        yield _fact(op, _default_event(was, now), (old, new), was, now)
    if is_changed(old, new, "keyword_only"):
        event: EventId = "schema_made_keyword" if new.get("keyword_only") else "schema_made_positional"
        yield _fact(op, event, (old, new), show_argument(old), show_argument(new))
    if is_changed(old, new, "alias"):
        yield _fact(op, "schema_alias_changed", (old, new), show_argument(old), show_argument(new))


def _returns_changes(old: Op, new: Op) -> Iterator[Fact]:
    """Yield the facts about returns, which are paired by position: most have no name."""
    for was, now in zip(old.outputs, new.outputs, strict=False):
        if was.name != now.name:
            yield _fact(old, _RETURN_RENAMED, (was, now), was.name, now.name)
        if is_changed(was, now, "type"):
            yield _fact(old, "schema_return_type_changed", (was, now), str(was.type), str(now.type))
        if is_changed(was, now, "alias"):
            yield _fact(old, "schema_alias_changed", (was, now), show_argument(was), show_argument(now))
    for output in old.outputs[len(new.outputs) :]:
        yield _fact(old, "schema_return_removed", (output, None), show_argument(output), None)
    for output in new.outputs[len(old.outputs) :]:
        yield _fact(old, "schema_return_added", (None, output), None, show_argument(output))


def _default_event(was: str | None, now: str | None) -> EventId:
    """Return the event for two defaults that differ, each None for a required argument."""
    if was is None:
        return "schema_default_added"
    return "schema_default_removed" if now is None else "schema_default_changed"


def _fact(op: Op, event: EventId, things: _Sides, old: str | None, new: str | None) -> Fact:
    """Return a fact about an argument or return in base and head; `old` and `new` are the texts that differ."""
    is_return = isinstance(things[0] or things[1], Output)
    return schema_change(event, op, "output" if is_return else "input", things, (old, new))

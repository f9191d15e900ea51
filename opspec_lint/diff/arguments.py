"""Compares the inputs or outputs of two declarations of an op that are bound by position and type, as a signature.

If the signatures are equal, old graphs are read as before, whatever else changed. If they differ, there is at least one
fact about the difference.
"""

from __future__ import annotations

from opspec_lint.diff import signature
from opspec_lint.diff.changes.arguments import argument_added, argument_removed, argument_renamed
from opspec_lint.diff.changes.field import field_changed, order_changed
from opspec_lint.diff.fields import same_arguments
from opspec_lint.spec import values
from opspec_lint.spec.fields import TYPE_FIELDS
from opspec_lint.spec.model import SECTIONS, UNKNOWN
from opspec_lint.spec.types import type_expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from opspec_lint.diff.signature import SignatureSlot
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import Field, FieldTable
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Input, Kind, Op, Output

    _Pair: TypeAlias = tuple[SignatureSlot, SignatureSlot]

_CHANGED: EventId = "argument_type_changed"
_GENERALISED: EventId = "argument_type_generalised"
_REFS: Mapping[Kind, tuple[EventId, EventId]] = {
    "input": ("input_ref_set", "input_ref_cleared"),
    "output": ("output_ref_set", "output_ref_cleared"),
}
_OF_SIGNATURE = frozenset({*TYPE_FIELDS, "is_ref"})
"""The fields that are compared tensor by tensor; any other is one of an argument."""


def diff_arguments(
    old: Op, new: Op, kind: Kind, attrs: tuple[Mapping[str, Attr], Mapping[str, Attr]], table: FieldTable
) -> list[Fact]:
    """Return the facts about the inputs, or the outputs, of an op.

    Args:
        old: the op in base.
        new: the op in head.
        kind: "input", whose names are no part of a signature, or "output".
        attrs: the attrs of the two declarations, by name.
        table: the fields of the framework.
    """
    section = SECTIONS[kind]
    before: tuple[Input | Output, ...] = getattr(old, section)
    after: tuple[Input | Output, ...] = getattr(new, section)
    if any(each.type is UNKNOWN for each in (*before, *after)):
        before, after = _agreed(before, after), _agreed(after, before)
    if same_arguments(before, after, table.fields_of(section)) and _unmoved(before, attrs):
        return []
    own = [field for name, field in table.fields_of(section).items() if name not in _OF_SIGNATURE]
    slots = signature.signature_slots(before, *attrs), signature.signature_slots(after, *attrs)
    return list(_Comparison(old, new, kind, slots, own).facts())


def _agreed(mine: Sequence[Input | Output], theirs: Sequence[Input | Output]) -> tuple[Input | Output, ...]:
    """Return arguments; one whose type is not known gets the type that the other side has."""
    types = {each.name: {field: getattr(each, field) for field in TYPE_FIELDS} for each in theirs}
    return tuple(each.replace(**types.get(each.name, {})) if each.type is UNKNOWN else each for each in mine)


def _unmoved(arguments: Sequence[Input | Output], attrs: tuple[Mapping[str, Attr], Mapping[str, Attr]]) -> bool:
    """Tell whether the types of arguments depend on no attr that base does not have."""
    used = {getattr(each, field) for each in arguments for field in ("type_attr", "number_attr", "type_list_attr")}
    return attrs[0].keys() >= {name for name in used if name}


class _Comparison:
    def __init__(
        self, old: Op, new: Op, kind: Kind, slots: tuple[list[SignatureSlot], list[SignatureSlot]], own: Sequence[Field]
    ) -> None:
        before, after = slots
        self._old, self._new, self._kind, self._own = old, new, kind, own
        self._before, self._after = [slot for slot in before if slot.types], after
        self._names = kind == "output"
        self._old_names = {slot.argument.name for slot in before}
        self._new_names = {slot.argument.name for slot in after}
        self._emptied = {
            slot.argument.name: slot.argument
            for slot in after
            if not slot.types and slot.argument.name in self._old_names
        }

    def facts(self) -> Iterator[Fact]:
        texts = [signature.show_signature(side, names=self._names) for side in (self._before, self._after)]
        if texts[0] == texts[1]:
            yield from self._equal()
        else:
            yield from self._different(*texts)

    def _equal(self) -> Iterator[Fact]:
        present = [slot for slot in self._after if slot.types]
        if [slot.types for slot in self._before] == [slot.types for slot in present]:
            yield from self._pairs(list(zip(self._before, present, strict=True)))
        else:
            yield self._regrouped(present)
            yield from self._refs(_tensors(self._before), _tensors(present))
        yield from self._optional()

    def _different(self, old_text: str, new_text: str) -> Iterator[Fact]:
        present = [slot for slot in self._after if slot.types]
        head = _common(self._before, present, self._goes_with)
        rest = len(self._before) - head, len(present) - head
        tail = _common(self._before[::-1], present[::-1], self._goes_with) if min(rest) else 0
        tail = min(tail, *rest)
        middle = self._before[head : len(self._before) - tail], present[head : len(present) - tail]
        facts = list(self._middle(*middle))
        if not facts:
            slot = (*middle[0], *self._before, *self._after)[0]
            facts.append(self._field(slot.argument, slot.argument, "type", (old_text, new_text), _CHANGED))
        yield from facts
        pairs = list(zip(self._before[:head], present[:head], strict=True))
        if tail:
            pairs += zip(self._before[-tail:], present[-tail:], strict=True)
        yield from self._pairs(pairs)
        yield from self._optional()

    def _optional(self) -> Iterator[Fact]:
        """Yield the added arguments that have no place in the signature."""
        for slot in self._after:
            if not slot.types and slot.argument.name not in self._emptied:
                yield self._added(slot)

    def _goes_with(self, old: SignatureSlot, new: SignatureSlot) -> bool:
        """Tell whether two slots at one place are certainly the same argument."""
        if old.types != new.types:
            return False
        mine, theirs = old.argument.name, new.argument.name
        return mine == theirs or not (self._names or mine in self._new_names or theirs in self._old_names)

    def _middle(self, before: list[SignatureSlot], after: list[SignatureSlot]) -> Iterator[Fact]:
        old = {slot.argument.name: slot for slot in before}
        new = {slot.argument.name: slot for slot in after}
        renamed = self._renamed(before, after)
        for slot in before:
            name = slot.argument.name
            if name in renamed:
                yield renamed[name]
            elif name in self._emptied:
                types = _expressions(slot, self._emptied[name])
                yield self._field(slot.argument, self._emptied[name], "type", types, _CHANGED)
            elif name not in new:
                yield self._removed(slot)
            elif slot.types != new[name].types:
                types = _expressions(slot, new[name].argument)
                if types[0] == types[1]:
                    types = ", ".join(slot.types), ", ".join(new[name].types)
                yield self._field(slot.argument, new[name].argument, "type", types, _CHANGED)
        gone = {change.new_name for change in renamed.values()}
        yield from (self._added(slot) for slot in after if slot.argument.name not in old.keys() | gone)
        common = [name for name in old if name in new]
        if common != [name for name in new if name in old]:
            yield self._order("argument_order_changed", common[0], before, after)

    def _renamed(self, before: list[SignatureSlot], after: list[SignatureSlot]) -> dict[str, Fact]:
        """Return the arguments that have the same place and type, and a name that the other side does not have."""
        if len(before) != len(after):
            return {}
        pairs = [
            (old, new)
            for old, new in zip(before, after, strict=True)
            if old.types == new.types
            and old.argument.name not in self._new_names
            and new.argument.name not in self._old_names
        ]
        return {old.argument.name: argument_renamed(self._removed(old), self._added(new), 1.0) for old, new in pairs}

    def _pairs(self, pairs: list[_Pair]) -> Iterator[Fact]:
        """Yield what differs between arguments whose places in the signature are the same."""
        swapped = [
            old.argument.name
            for old, new in pairs
            if old.argument.name != new.argument.name
            and old.argument.name in self._new_names
            and new.argument.name in self._old_names
        ]
        for old, new in pairs:
            mine, theirs = old.argument, new.argument
            if mine.name != theirs.name and mine.name not in swapped:
                yield self._field(mine, theirs, "name", (mine.name, theirs.name), "argument_name_changed")
            yield from self._types(mine, theirs)
            for field in self._own:
                if sides := _sides(mine, theirs, field.name):
                    yield self._field(mine, theirs, field.name, sides, *field.events)
        if swapped:
            yield self._order("arguments_swapped", swapped[0], self._before, self._after)
        yield from self._refs(_tensors([old for old, _ in pairs]), _tensors([new for _, new in pairs]))

    def _types(self, mine: Input | Output, theirs: Input | Output) -> Iterator[Fact]:
        """Yield that a type is written in another way; of the fields that make up the type, only one is reported."""
        types = type_expression(mine), type_expression(theirs)
        if types[0] != types[1]:
            yield self._field(mine, theirs, "type", types, _GENERALISED)
            return
        for field in TYPE_FIELDS:
            if sides := _sides(mine, theirs, field):
                yield self._field(mine, theirs, field, sides, _GENERALISED)

    def _refs(self, before: list[SignatureSlot], after: list[SignatureSlot]) -> Iterator[Fact]:
        seen = set()
        for old, new in zip(before, after, strict=False):
            mine, theirs = old.argument, new.argument
            if UNKNOWN in (mine.is_ref, theirs.is_ref) or mine.is_ref is theirs.is_ref:
                continue
            if (mine.name, theirs.name) not in seen:
                seen.add((mine.name, theirs.name))
                yield self._field(mine, theirs, "is_ref", (mine.is_ref, theirs.is_ref), *_REFS[self._kind])

    def _regrouped(self, present: list[SignatureSlot]) -> Fact:
        """Return the fact that the same tensors are distributed over the arguments in another way."""
        for place, slot in enumerate(self._before):
            new = present[min(place, len(present) - 1)]
            if place >= len(present) or slot.types != new.types:
                break
        texts = ", ".join(slot.types), ", ".join(new.types)
        return self._field(slot.argument, new.argument, "type", texts, _GENERALISED)

    def _field(
        self, before: Input | Output, after: Input | Output, field: str, sides: tuple[object, object], *events: EventId
    ) -> Fact:
        was_extra = before.get("extra") is True
        return field_changed(
            self._old.name, self._kind, field, (before, after), sides, events=events, was_extra=was_extra
        )

    def _order(self, event: EventId, name: str, before: list[SignatureSlot], after: list[SignatureSlot]) -> Fact:
        old, new = (tuple(slot.argument.name for slot in side) for side in (before, after))
        return order_changed(event, self._kind, name, (self._old, self._new), (old, new))

    def _added(self, slot: SignatureSlot) -> Fact:
        return argument_added(self._old.name, self._kind, slot.argument, is_optional=not slot.types)

    def _removed(self, slot: SignatureSlot) -> Fact:
        return argument_removed(self._old.name, self._kind, slot.argument)


def _expressions(old: SignatureSlot, new: Input | Output) -> tuple[object, object]:
    return type_expression(old.argument), type_expression(new)


def _sides(before: Input | Output, after: Input | Output, field: str) -> tuple[object, object] | None:
    """Return both values of a field, None if they are the same, or if one side does not know the field."""
    old, new = before.get(field), after.get(field)
    return None if old is UNKNOWN or new is UNKNOWN or values.same(old, new) else (old, new)


def _common(before: Sequence[SignatureSlot], after: Sequence[SignatureSlot], same: Any) -> int:
    """Return how many slots at the beginning of both sides match."""
    count = 0
    for old, new in zip(before, after, strict=False):
        if not same(old, new):
            break
        count += 1
    return count


def _tensors(side: list[SignatureSlot]) -> list[SignatureSlot]:
    """Return the slot of each tensor of a signature."""
    return [slot for slot in side for _ in slot.types]

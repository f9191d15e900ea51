"""Comparison of the inputs, or the outputs, of two declarations of an op that graphs bind by position and type.

Each argument contributes a slot to the signature: the types of its tensors (`diff.signature`). If both signatures are
equal, head reads old graphs as base did, and only details of the arguments are compared, pair by pair. Otherwise:

1. Prefix: pair the longest common prefix of slots that are the same argument on both sides.
2. Suffix: pair the longest common suffix of the remaining slots.
3. Middle: the remaining slots are the difference: removed, added, renamed, reordered arguments, or other types.
4. If the middle yields nothing, state that the type of the first argument there changed: different signatures always
yield at least one fact.
5. Compare the details of the paired arguments, and add the optional arguments that contribute no tensor.
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

_TYPE_CHANGED: EventId = "argument_type_changed"
_TYPE_GENERALISED: EventId = "argument_type_generalised"
_REF_EVENTS: Mapping[Kind, tuple[EventId, EventId]] = {
    "input": ("input_ref_set", "input_ref_cleared"),
    "output": ("output_ref_set", "output_ref_cleared"),
}
_SIGNATURE_FIELDS = frozenset({*TYPE_FIELDS, "is_ref"})
"""The fields that the comparison of signatures covers; all others are compared argument by argument."""


def diff_arguments(
    old: Op, new: Op, kind: Kind, attrs: tuple[Mapping[str, Attr], Mapping[str, Attr]], table: FieldTable
) -> list[Fact]:
    """Return the facts about the inputs, or the outputs, of an op whose arguments are bound by position and type.

    Args:
        old: the op in base.
        new: the op in head.
        kind: "input" (graphs bind inputs by position alone), or "output" (names of outputs count as well).
        attrs: the attrs of the two declarations, by name.
        table: the fields of the framework.
    """
    section = SECTIONS[kind]
    old_attrs, new_attrs = attrs
    before: tuple[Input | Output, ...] = getattr(old, section)
    after: tuple[Input | Output, ...] = getattr(new, section)
    # A type that only one side knows is no difference: the other side is given the known type.
    if any(argument.type is UNKNOWN for argument in (*before, *after)):
        before, after = _fill_unknown_types(before, after), _fill_unknown_types(after, before)
    # Equal declarations can still differ in their signatures: an attr that only head has counts as its default value.
    if same_arguments(before, after, table.fields_of(section)) and _types_use_only(old_attrs, before):
        return []
    argument_fields = [field for name, field in table.fields_of(section).items() if name not in _SIGNATURE_FIELDS]
    slots = (
        signature.signature_slots(before, old_attrs, new_attrs),
        signature.signature_slots(after, old_attrs, new_attrs),
    )
    return list(_SignatureComparison(old, new, kind, slots, argument_fields).facts())


def _fill_unknown_types(
    arguments: Sequence[Input | Output], counterparts: Sequence[Input | Output]
) -> tuple[Input | Output, ...]:
    """Return the arguments of one side, with unknown types taken from the other side's argument of that name."""
    types = {argument.name: {field: getattr(argument, field) for field in TYPE_FIELDS} for argument in counterparts}
    return tuple(
        argument.replace(**types.get(argument.name, {})) if argument.type is UNKNOWN else argument
        for argument in arguments
    )


def _types_use_only(attrs: Mapping[str, Attr], arguments: Sequence[Input | Output]) -> bool:
    """Return whether `attrs` has every attr that the types of some arguments name."""
    used = {
        getattr(argument, field) for argument in arguments for field in ("type_attr", "number_attr", "type_list_attr")
    }
    return attrs.keys() >= {name for name in used if name}


class _SignatureComparison:
    """The slots of the inputs, or the outputs, of one op in base and head.

    Args:
        old: the op in base.
        new: the op in head.
        kind: the kind of the arguments.
        slots: the slots of base and of head.
        argument_fields: the fields that are compared argument by argument.
    """

    def __init__(
        self,
        old: Op,
        new: Op,
        kind: Kind,
        slots: tuple[list[SignatureSlot], list[SignatureSlot]],
        argument_fields: Sequence[Field],
    ) -> None:
        before, after = slots
        self._old, self._new, self._kind, self._argument_fields = old, new, kind, argument_fields
        # In base, an argument without tensors (a list whose default is empty) binds nothing. In head it is kept, as it
        # may be new.
        self._before, self._after = [slot for slot in before if slot.types], after
        # A node refers to the outputs of another node by name, and to its own inputs by position.
        self._names_bind = kind == "output"
        self._old_names = {slot.argument.name for slot in before}
        self._new_names = {slot.argument.name for slot in after}
        # An argument of base that contributes no tensor in head was not removed: only its type or its number changed.
        self._emptied_in_head = {
            slot.argument.name: slot.argument
            for slot in after
            if not slot.types and slot.argument.name in self._old_names
        }

    def facts(self) -> Iterator[Fact]:
        """Yield every difference between the two lists of slots."""
        old_text = signature.show_signature(self._before, names=self._names_bind)
        new_text = signature.show_signature(self._after, names=self._names_bind)
        if old_text == new_text:
            yield from self._compare_equal_signatures()
        else:
            yield from self._compare_different_signatures(old_text, new_text)

    def _compare_equal_signatures(self) -> Iterator[Fact]:
        """Yield the differences of details between signatures whose tensors are the same, in the same order."""
        present = [slot for slot in self._after if slot.types]
        # `a: 2 * T` and `b: T, c: T` have the same signature, but their arguments cannot be paired one to one.
        if [slot.types for slot in self._before] == [slot.types for slot in present]:
            yield from self._compare_pairs(list(zip(self._before, present, strict=True)))
        else:
            yield self._regrouped_fact(present)
            yield from self._compare_refs(_slot_per_tensor(self._before), _slot_per_tensor(present))
        yield from self._added_without_tensors()

    def _compare_different_signatures(self, old_text: str, new_text: str) -> Iterator[Fact]:
        """Yield the differences between two signatures: pair prefix and suffix, compare what is between them.

        Args:
            old_text: the signature of base.
            new_text: the signature of head.
        """
        present = [slot for slot in self._after if slot.types]
        prefix = _common_prefix_length(self._before, present, self._is_same_argument)
        # A suffix must not reuse slots of the prefix: `T, T` against `T` has one common slot, not two.
        suffix = min(len(self._before), len(present)) - prefix
        if suffix:
            suffix = min(suffix, _common_prefix_length(self._before[::-1], present[::-1], self._is_same_argument))
        old_middle = self._before[prefix : len(self._before) - suffix]
        facts = list(self._compare_middle(old_middle, present[prefix : len(present) - suffix]))
        if not facts:
            slot, *_ = (*old_middle, *self._before, *self._after)
            facts.append(self._field_fact(slot.argument, slot.argument, "type", (old_text, new_text), _TYPE_CHANGED))
        yield from facts
        pairs = list(zip(self._before[:prefix], present[:prefix], strict=True))
        if suffix:
            pairs += zip(self._before[-suffix:], present[-suffix:], strict=True)
        yield from self._compare_pairs(pairs)
        yield from self._added_without_tensors()

    def _added_without_tensors(self) -> Iterator[Fact]:
        """Yield the added arguments without tensors: old graphs bind to them with an empty list."""
        for slot in self._after:
            if not slot.types and slot.argument.name not in self._emptied_in_head:
                yield self._added_fact(slot)

    def _is_same_argument(self, old: SignatureSlot, new: SignatureSlot) -> bool:
        """Return whether two slots are one argument, by types and name; an input may have a new, unique name."""
        if old.types != new.types:
            return False
        old_name, new_name = old.argument.name, new.argument.name
        return old_name == new_name or not (
            self._names_bind or old_name in self._new_names or new_name in self._old_names
        )

    def _compare_middle(self, before: list[SignatureSlot], after: list[SignatureSlot]) -> Iterator[Fact]:
        """Yield the differences between the slots outside of the common prefix and suffix, paired by name."""
        old = {slot.argument.name: slot for slot in before}
        new = {slot.argument.name: slot for slot in after}
        renamed = self._find_renames(before, after)
        for slot in before:
            name = slot.argument.name
            if name in renamed:
                yield renamed[name]
            elif name in self._emptied_in_head:
                types = _type_texts(slot, self._emptied_in_head[name])
                yield self._field_fact(slot.argument, self._emptied_in_head[name], "type", types, _TYPE_CHANGED)
            elif name not in new:
                yield self._removed_fact(slot)
            elif slot.types != new[name].types:
                old_type, new_type = _type_texts(slot, new[name].argument)
                if old_type == new_type:
                    # The declarations are alike (`T`), but an attr that they name is new in head, so its default
                    # decides.
                    old_type, new_type = ", ".join(slot.types), ", ".join(new[name].types)
                yield self._field_fact(slot.argument, new[name].argument, "type", (old_type, new_type), _TYPE_CHANGED)
        renamed_to = {change.new_name for change in renamed.values()}
        yield from (self._added_fact(slot) for slot in after if slot.argument.name not in old.keys() | renamed_to)
        common = [name for name in old if name in new]
        if common != [name for name in new if name in old]:
            yield self._order_fact("argument_order_changed", common[0], before, after)

    def _find_renames(self, before: list[SignatureSlot], after: list[SignatureSlot]) -> dict[str, Fact]:
        """Return the renames by old name: same place and types, and each name on one side only."""
        # If an argument was added or removed, a place is no evidence for a rename.
        if len(before) != len(after):
            return {}
        pairs = [
            (old, new)
            for old, new in zip(before, after, strict=True)
            if old.types == new.types
            and old.argument.name not in self._new_names
            and new.argument.name not in self._old_names
        ]
        return {
            old.argument.name: argument_renamed(self._removed_fact(old), self._added_fact(new), 1.0)
            for old, new in pairs
        }

    def _compare_pairs(self, pairs: list[_Pair]) -> Iterator[Fact]:
        """Yield the differences of details between arguments with the same place in the signature."""
        # Both names exist on both sides, at other places: the arguments changed places, so that old graphs mix them up.
        swapped = [
            old.argument.name
            for old, new in pairs
            if old.argument.name != new.argument.name
            and old.argument.name in self._new_names
            and new.argument.name in self._old_names
        ]
        for old, new in pairs:
            before, after = old.argument, new.argument
            if before.name != after.name and before.name not in swapped:
                yield self._field_fact(before, after, "name", (before.name, after.name), "argument_name_changed")
            yield from self._compare_types(before, after)
            for field in self._argument_fields:
                if sides := _differing_values(before, after, field.name):
                    yield self._field_fact(before, after, field.name, sides, *field.events)
        if swapped:
            yield self._order_fact("arguments_swapped", swapped[0], self._before, self._after)
        yield from self._compare_refs(
            _slot_per_tensor([old for old, _ in pairs]), _slot_per_tensor([new for _, new in pairs])
        )

    def _compare_types(self, before: Input | Output, after: Input | Output) -> Iterator[Fact]:
        """Yield that a type is written differently (`float` became `T`), as one fact for all fields of a type."""
        old_type, new_type = type_expression(before), type_expression(after)
        if old_type != new_type:
            yield self._field_fact(before, after, "type", (old_type, new_type), _TYPE_GENERALISED)
            return
        for field in TYPE_FIELDS:
            if sides := _differing_values(before, after, field):
                yield self._field_fact(before, after, field, sides, _TYPE_GENERALISED)

    def _compare_refs(self, before: list[SignatureSlot], after: list[SignatureSlot]) -> Iterator[Fact]:
        """Yield the arguments whose tensors became references, or stopped to be; each pair of arguments once."""
        reported = set()
        for old, new in zip(before, after, strict=False):
            old_argument, new_argument = old.argument, new.argument
            if UNKNOWN in (old_argument.is_ref, new_argument.is_ref) or old_argument.is_ref is new_argument.is_ref:
                continue
            if (old_argument.name, new_argument.name) not in reported:
                reported.add((old_argument.name, new_argument.name))
                yield self._field_fact(
                    old_argument,
                    new_argument,
                    "is_ref",
                    (old_argument.is_ref, new_argument.is_ref),
                    *_REF_EVENTS[self._kind],
                )

    def _regrouped_fact(self, present: list[SignatureSlot]) -> Fact:
        """Return the fact that the same tensors belong to other arguments, about the first that differs."""
        for place, slot in enumerate(self._before):
            new = present[min(place, len(present) - 1)]
            if place >= len(present) or slot.types != new.types:
                break
        texts = ", ".join(slot.types), ", ".join(new.types)
        return self._field_fact(slot.argument, new.argument, "type", texts, _TYPE_GENERALISED)

    def _field_fact(
        self, before: Input | Output, after: Input | Output, field: str, sides: tuple[object, object], *events: EventId
    ) -> Fact:
        """Return the fact that a field of an argument differs."""
        was_extra = before.get("extra") is True
        return field_changed(
            self._old.name, self._kind, field, (before, after), sides, events=events, was_extra=was_extra
        )

    def _order_fact(self, event: EventId, name: str, before: list[SignatureSlot], after: list[SignatureSlot]) -> Fact:
        """Return the fact that arguments have another order, about the argument `name`."""
        old, new = (tuple(slot.argument.name for slot in side) for side in (before, after))
        return order_changed(event, self._kind, name, (self._old, self._new), (old, new))

    def _added_fact(self, slot: SignatureSlot) -> Fact:
        return argument_added(self._old.name, self._kind, slot.argument, is_optional=not slot.types)

    def _removed_fact(self, slot: SignatureSlot) -> Fact:
        return argument_removed(self._old.name, self._kind, slot.argument)


def _type_texts(old: SignatureSlot, new: Input | Output) -> tuple[object, object]:
    return type_expression(old.argument), type_expression(new)


def _differing_values(before: Input | Output, after: Input | Output, field: str) -> tuple[object, object] | None:
    """Return both values of a field; None if they are equal, or if one side does not know the field."""
    old, new = before.get(field), after.get(field)
    return None if old is UNKNOWN or new is UNKNOWN or values.same(old, new) else (old, new)


def _common_prefix_length(before: Sequence[SignatureSlot], after: Sequence[SignatureSlot], same: Any) -> int:
    """Return the number of slots at the beginning of both sides that match."""
    count = 0
    for old, new in zip(before, after, strict=False):
        if not same(old, new):
            break
        count += 1
    return count


def _slot_per_tensor(side: list[SignatureSlot]) -> list[SignatureSlot]:
    """Return the slot of each tensor of a signature: a slot with three tensors occurs three times."""
    return [slot for slot in side for _ in slot.types]

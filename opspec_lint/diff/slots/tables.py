"""Comparison of two declarations of a table, slot by slot."""

from __future__ import annotations

from opspec_lint.diff.slots.facts import slot_fact
from opspec_lint.kit.record import Record
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.diff.slots.types import Reading, SchemaPair, Types
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Op

_READ_BY_OLD_FILES = ("type", "default_value", "nested_flatbuffer", "flexbuffer", "hash", "width", "force_align")
"""The properties of a deprecated field that still describe the bytes of old files."""
NO_FIELD = "nothing: no field has this slot"
_FLEXBUFFER = "FlexBuffer"
_WIDTHS: Mapping[str | None, str] = {
    None: "4 bytes of offset and 4 of length",
    "offset64": "8 bytes of offset and 4 of length",
    "vector64": "8 bytes of offset and 8 of length",
}
"""The beginning of a string or vector in bytes, by its width."""


_TYPE_EVENTS: Mapping[Reading, EventId] = {
    "alias": "slot_type_respelt",
    "byte_to_bool": "slot_byte_to_bool",
    "bytes_to_string": "slot_bytes_to_string",
    "changed": "slot_type_changed",
    "string_to_bytes": "slot_string_to_bytes",
}
"""The events of a changed type, by how head reads base's bytes."""


class TableSlot(Record):
    """A slot of a table; `is_type`: it holds the type of its union field, and the next slot the value."""

    attr: Attr
    is_type: bool = False


def compare(old: Op, new: Op, pair: SchemaPair) -> Iterator[Fact]:
    """Yield every difference between two declarations of a table."""
    yield from _TableComparison(old, new, pair).changes()


def fields_by_slot(op: Op, types: Types) -> dict[int, TableSlot]:
    """Return the slots of a table; a union has two slots, the first one for its type."""
    slots: dict[int, TableSlot] = {}
    for attr in op.attrs:
        slot = attr.get("slot")
        if isinstance(slot, int):
            slots[slot] = TableSlot(attr=attr)
            if types.is_union(str(attr.type)):
                slots[slot - 1] = TableSlot(attr=attr, is_type=True)
    return slots


class _TableComparison:
    """A comparison of two declarations of one table."""

    def __init__(self, old: Op, new: Op, pair: SchemaPair) -> None:
        self._old, self._new, self._pair = old, new, pair
        self._before, self._after = fields_by_slot(old, pair.base), fields_by_slot(new, pair.head)
        self._names_before = {attr.name for attr in old.attrs}
        self._names_after = {attr.name for attr in new.attrs}

    def changes(self) -> Iterator[Fact]:
        """Yield the differences: slots of base in their order, then added slots, then the key."""
        # A union has two slots, and is reported once.
        reported: set[str] = set()
        for slot in sorted(self._before):
            before, after = self._before[slot], self._after.get(slot)
            if before.attr.name in reported:
                continue
            if after is None or self._was_reassigned(before, after):
                reported.add(before.attr.name)
                yield from self._compare_lost_slot(slot, before.attr, after)
            elif not before.is_type:
                yield from self._compare_kept_field(slot, before.attr, after.attr)
        for slot in sorted(self._after.keys() - self._before.keys()):
            after = self._after[slot]
            if after.attr.name not in self._names_before and not after.is_type:
                yield from self._added_fact(slot, after.attr)
        yield from self._compare_keys()

    def _was_reassigned(self, before: TableSlot, after: TableSlot) -> bool:
        """Return whether head uses a slot of base for another field, as opposed to the same field under a new name."""
        if before.is_type is not after.is_type:
            return True
        if before.attr.get("deprecated") is True and after.attr.get("deprecated") is True:
            return False  # neither side reads the slot
        old, new = before.attr.name, after.attr.name
        return old != new and (new in self._names_before or old in self._names_after)

    def _compare_lost_slot(self, slot: int, attr: Attr, after: TableSlot | None) -> Iterator[Fact]:
        """Yield the difference for a field that no longer has its slot: it was removed, or the slot was reassigned."""
        if after is None and attr.name not in self._names_after:
            is_deprecated = attr.get("deprecated") is True
            yield self._slot_fact("deprecated_slot_removed" if is_deprecated else "slot_removed", slot, attr, None)
            if attr.get("required") is True and not is_deprecated:
                yield self._slot_fact("slot_required_cleared", slot, attr, None, field="required")
            return
        new_attr = None if after is None else after.attr
        meaning = NO_FIELD if after is None else _meaning_of_slot(self._pair.head, after)
        yield self._slot_fact("slot_reassigned", slot, attr, new_attr, new_meaning=meaning)

    def _added_fact(self, slot: int, attr: Attr) -> Iterator[Fact]:
        is_required = attr.get("required") is True and attr.get("deprecated") is not True
        yield self._slot_fact("slot_added_required" if is_required else "slot_added", slot, None, attr)

    def _compare_kept_field(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        """Yield the differences between two declarations of a field."""
        was_deprecated, is_deprecated = old.get("deprecated") is True, new.get("deprecated") is True
        read = self._pair.read(str(old.type), str(new.type))
        is_readable = read in ("same", "alias")
        is_restored = was_deprecated and not is_deprecated
        # If a deprecated field is restored under another name and type, its slot is reused (below), not renamed.
        if old.name != new.name and (is_readable or not is_restored):
            yield self._slot_fact("slot_renamed", slot, old, new, new_name=new.name)
        yield from self._compare_required(slot, old, new)
        if is_deprecated and not was_deprecated:
            yield self._field_fact("slot_deprecated", slot, old, new, "deprecated")
        elif is_restored:
            event: EventId = "slot_restored" if is_readable else "slot_reused"
            yield self._field_fact(event, slot, old, new, "deprecated" if is_readable else "type")
        if was_deprecated or is_deprecated:
            if is_readable:
                yield from self._compare_deprecated(slot, old, new, _READ_BY_OLD_FILES)
            elif not is_restored:  # one that is restored with another type is reused, which the fact above states
                yield from self._compare_deprecated(slot, old, new, ("type",))
            if was_deprecated and is_deprecated:
                yield from self._compare_deprecated(slot, old, new, ("required",))
        else:
            yield from self._compare_type(slot, old, new, read)
            if is_readable:
                yield from self._compare_default(slot, old, new)
            yield from self._compare_width(slot, old, new)
            yield from self._compare_nested(slot, old, new)
            yield from self._compare_alignment(slot, old, new)
            yield from self._compare_hash(slot, old, new)

    def _compare_deprecated(self, slot: int, old: Attr, new: Attr, fields: Sequence[str]) -> Iterator[Fact]:
        """Yield the differences of a field that a side does not read, but that still describes bytes of old files."""
        for field in fields:
            before, after = _bool_as_number(old.get(field)), _bool_as_number(new.get(field))
            if UNKNOWN not in (before, after) and not values.same(before, after):
                yield self._field_fact("deprecated_slot_changed", slot, old, new, field)

    def _compare_required(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        was, is_ = (attr.get("required") is True and attr.get("deprecated") is not True for attr in (old, new))
        if was is not is_:
            yield self._field_fact("slot_required_set" if is_ else "slot_required_cleared", slot, old, new, "required")

    def _compare_type(self, slot: int, old: Attr, new: Attr, read: Reading) -> Iterator[Fact]:
        if read == "same":
            return
        yield self._field_fact(_TYPE_EVENTS[read], slot, old, new, "type")

    def _compare_default(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        before, after = _bool_as_number(old.default_value), _bool_as_number(new.default_value)
        if UNKNOWN not in (before, after) and not values.same(before, after):
            yield self._field_fact("slot_default_changed", slot, old, new, "default_value")

    def _compare_width(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        before, after = old.get("width") or None, new.get("width") or None
        if before != after:
            fact = self._field_fact("slot_width_changed", slot, old, new, "width")
            texts = {"old": _WIDTHS[before], "new": _WIDTHS[after], "old_width": before or "no 64 bits"}
            yield fact.replace(facts={**fact.facts, **texts})

    def _compare_hash(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        if (old.get("hash") or None) != (new.get("hash") or None):
            yield self._field_fact("slot_hash_changed", slot, old, new, "hash")

    def _compare_nested(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        """Yield that the bytes of a field are a nested FlatBuffer on one side only, or of another root table."""
        before, after = _nested_root(old), _nested_root(new)
        if before is None or after is None:
            if before is not after:
                event: EventId = "slot_nested_added" if before is None else "slot_nested_dropped"
                yield self._field_fact(event, slot, old, new, "nested_flatbuffer").replace(old=before, new=after)
        elif not self._pair.is_same_declaration(before, after):
            yield self._field_fact("slot_nested_changed", slot, old, new, "nested_flatbuffer").replace(
                old=before, new=after
            )

    def _compare_alignment(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        before, after = old.get("force_align") or 0, new.get("force_align") or 0
        if before != after:
            event: EventId = "slot_alignment_raised" if after > before else "slot_alignment_lowered"
            fact = self._field_fact(event, slot, old, new, "force_align")
            texts = {"old": before or "that of its items", "new": after or "that of its items"}
            yield fact.replace(facts={**fact.facts, **texts})

    def _compare_keys(self) -> Iterator[Fact]:
        """Yield that the table is sorted by another field: its `key` was set, cleared, or moved to another slot."""
        old_keys, new_keys = _key_fields(self._old), _key_fields(self._new)
        if {attr.get("slot") for attr in old_keys} == {attr.get("slot") for attr in new_keys}:
            return
        old, new = next(iter(old_keys), None), next(iter(new_keys), None)
        event: EventId = "slot_key_changed"
        if old is None:
            event = "slot_key_set"
        elif new is None:
            event = "slot_key_cleared"
        attr = old or new
        if attr is not None:
            slot: int = attr.get("slot")
            fact = self._slot_fact(event, slot, old, new, field="key")
            yield fact.replace(old=None if old is None else old.name, new=None if new is None else new.name)

    def _field_fact(self, event: EventId, slot: int, old: Attr, new: Attr, field: str) -> Fact:
        return self._slot_fact(event, slot, old, new, field=field)

    def _slot_fact(  # noqa: PLR0913, PLR0917 - what happened, to what, and what it means
        self,
        event: EventId,
        slot: int,
        old: Attr | None,
        new: Attr | None,
        field: str | None = None,
        new_name: str | None = None,
        new_meaning: str | None = None,
    ) -> Fact:
        """Return a fact about a slot; `old` and `new` are the fields in the slot, None for none."""
        base, head = self._pair.base, self._pair.head
        return slot_fact(
            event,
            self._old,
            (old or new or self._old).name,
            (old, new),
            field=field,
            sides=(_value(old, field), _value(new, field)),
            new_name=new_name,
            facts={
                "slot": slot,
                # A vtable begins with two 16-bit sizes; an entry of 16 bits for each slot follows.
                "vtable": 4 + 2 * slot,
                "what": "field",
                "other": None if new is None else new.name,
                "old_meaning": NO_FIELD if old is None else _meaning_of_slot(base, TableSlot(attr=old)),
                "new_meaning": new_meaning
                or (NO_FIELD if new is None else _meaning_of_slot(head, TableSlot(attr=new))),
                "example": "" if old is None or new is None else _example_text(self._pair, old, new),
            },
        )


def _meaning_of_slot(types: Types, slot: TableSlot) -> str:
    """Return the meaning of the bytes in a slot as a phrase."""
    if slot.is_type:
        return f"the number of the member of the union '{slot.attr.name}'"
    return f"'{slot.attr.name}', {types.meaning(str(slot.attr.type))}"


def _example_text(pair: SchemaPair, old: Attr, new: Attr) -> str:
    """Return bytes that are read differently, as the end of a sentence."""
    shown = pair.example(str(old.type), str(new.type))
    return f"; {shown}" if shown else ""


def _value(attr: Attr | None, field: str | None) -> object:
    """Return the value of a field of an attr for a fact; if `field` is None, all that the attr declares."""
    if attr is None:
        return None
    if field is not None:
        return _none_if_unknown(attr.get(field))
    field_names = (
        *("slot", "type", "default_value", "required", "deprecated", "key"),
        *("nested_flatbuffer", "flexbuffer", "hash", "width", "force_align"),
    )
    stated = {name: _none_if_unknown(attr.get(name)) for name in field_names}
    return {"name": attr.name, **{name: value for name, value in stated.items() if value not in (None, False)}}


def _none_if_unknown(value: object) -> object:
    return None if value is UNKNOWN else value


def _key_fields(op: Op) -> list[Attr]:
    """Return the fields of a table that are declared as its key."""
    return [attr for attr in op.attrs if attr.get("key") is True]


def _nested_root(attr: Attr) -> str | None:
    """Return the root table of the FlatBuffer in the bytes of a field, None if the bytes are not nested."""
    return _FLEXBUFFER if attr.get("flexbuffer") is True else attr.get("nested_flatbuffer") or None


def _bool_as_number(value: object) -> object:
    """Return a default value with true and false as 1 and 0, as which they are stored."""
    return int(value) if isinstance(value, bool) else value

"""Compares two declarations of a table slot by slot."""

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

_OF_DEPRECATED = ("type", "default_value", "nested_flatbuffer", "flexbuffer", "hash", "width", "force_align")
"""What the declaration of a deprecated field says of the files from before."""
NO_FIELD = "nothing: no field has this slot"
_FLEXBUFFER = "FlexBuffer"
_WIDTHS: Mapping[str | None, str] = {
    None: "4 bytes of offset and 4 of length",
    "offset64": "8 bytes of offset and 4 of length",
    "vector64": "8 bytes of offset and 8 of length",
}
"""What the bytes of a string or vector begin with, by its width."""


_READ: Mapping[Reading, EventId] = {
    "alias": "slot_type_respelt",
    "byte_to_bool": "slot_byte_to_bool",
    "bytes_to_string": "slot_bytes_to_string",
    "changed": "slot_type_changed",
    "string_to_bytes": "slot_string_to_bytes",
}
"""The events of a type, by what its bytes are to head."""


class TableSlot(Record):
    """A slot of a table: its field, and whether it holds the type of the field's union and not its value."""

    attr: Attr
    is_type: bool = False


def compare(old: Op, new: Op, pair: SchemaPair) -> Iterator[Fact]:
    """Yield every fact that tells two declarations of a table apart."""
    yield from _Tables(old, new, pair).changes()


def fields_by_slot(op: Op, types: Types) -> dict[int, TableSlot]:
    """Return the slots of a table; a union has two, the first one for its type."""
    found: dict[int, TableSlot] = {}
    for attr in op.attrs:
        slot = attr.get("slot")
        if isinstance(slot, int):
            found[slot] = TableSlot(attr=attr)
            if types.is_union(str(attr.type)):
                found[slot - 1] = TableSlot(attr=attr, is_type=True)
    return found


class _Tables:
    """Two declarations of one table."""

    def __init__(self, old: Op, new: Op, pair: SchemaPair) -> None:
        self._old, self._new, self._pair = old, new, pair
        self._before, self._after = fields_by_slot(old, pair.base), fields_by_slot(new, pair.head)
        self._names_before = {attr.name for attr in old.attrs}
        self._names_after = {attr.name for attr in new.attrs}

    def changes(self) -> Iterator[Fact]:
        told: set[str] = set()
        for slot in sorted(self._before):
            before, after = self._before[slot], self._after.get(slot)
            if before.attr.name in told:
                continue
            if after is None or self._is_another(before, after):
                told.add(before.attr.name)
                yield from self._gone(slot, before.attr, after)
            elif not before.is_type:
                yield from self._kept(slot, before.attr, after.attr)
        for slot in sorted(self._after.keys() - self._before.keys()):
            after = self._after[slot]
            if after.attr.name not in self._names_before and not after.is_type:
                yield from self._added(slot, after.attr)
        yield from self._keys()

    def _is_another(self, before: TableSlot, after: TableSlot) -> bool:
        """Tell whether a slot stands for another field, and not for one under another name."""
        if before.is_type is not after.is_type:
            return True
        if before.attr.get("deprecated") is True and after.attr.get("deprecated") is True:
            return False  # neither side reads the slot
        old, new = before.attr.name, after.attr.name
        return old != new and (new in self._names_before or old in self._names_after)

    def _gone(self, slot: int, attr: Attr, after: TableSlot | None) -> Iterator[Fact]:
        """Yield what became of a field whose slot is not its own any more."""
        if after is None and attr.name not in self._names_after:
            is_deprecated = attr.get("deprecated") is True
            yield self._fact("deprecated_slot_removed" if is_deprecated else "slot_removed", slot, attr, None)
            if attr.get("required") is True and not is_deprecated:
                yield self._fact("slot_required_cleared", slot, attr, None, field="required")
            return
        other = None if after is None else after.attr
        meaning = NO_FIELD if after is None else _part(self._pair.head, after)
        yield self._fact("slot_reassigned", slot, attr, other, new_meaning=meaning)

    def _added(self, slot: int, attr: Attr) -> Iterator[Fact]:
        is_required = attr.get("required") is True and attr.get("deprecated") is not True
        yield self._fact("slot_added_required" if is_required else "slot_added", slot, None, attr)

    def _kept(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        """Yield what differs between two declarations of a field."""
        was, is_ = old.get("deprecated") is True, new.get("deprecated") is True
        read = self._pair.read(str(old.type), str(new.type))
        is_readable = read in ("same", "alias")
        if old.name != new.name and (is_readable or is_ or not was):
            yield self._fact("slot_renamed", slot, old, new, new_name=new.name)
        yield from self._required(slot, old, new)
        if is_ and not was:
            yield self._field("slot_deprecated", slot, old, new, "deprecated")
        elif was and not is_:
            event: EventId = "slot_restored" if is_readable else "slot_reused"
            yield self._field(event, slot, old, new, "deprecated" if is_readable else "type")
        if was or is_:
            fields = _OF_DEPRECATED if is_readable else ("type",) if is_ else ()
            yield from self._unread(slot, old, new, (*fields, "required") if was and is_ else fields)
        else:
            yield from self._type(slot, old, new, read)
            if is_readable:
                yield from self._default(slot, old, new)
            yield from self._width(slot, old, new)
            yield from self._nested(slot, old, new)
            yield from self._alignment(slot, old, new)
            yield from self._hash(slot, old, new)

    def _unread(self, slot: int, old: Attr, new: Attr, fields: Sequence[str]) -> Iterator[Fact]:
        """Yield what differs of a field that a side does not read: only the declaration says what old files hold."""
        for field in fields:
            before, after = _number(old.get(field)), _number(new.get(field))
            if UNKNOWN not in (before, after) and not values.same(before, after):
                yield self._field("deprecated_slot_changed", slot, old, new, field)

    def _required(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        was, is_ = (each.get("required") is True and each.get("deprecated") is not True for each in (old, new))
        if was is not is_:
            yield self._field("slot_required_set" if is_ else "slot_required_cleared", slot, old, new, "required")

    def _type(self, slot: int, old: Attr, new: Attr, read: Reading) -> Iterator[Fact]:
        if read == "same":
            return
        yield self._field(_READ[read], slot, old, new, "type")

    def _default(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        before, after = _number(old.default_value), _number(new.default_value)
        if UNKNOWN not in (before, after) and not values.same(before, after):
            yield self._field("slot_default_changed", slot, old, new, "default_value")

    def _width(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        before, after = old.get("width") or None, new.get("width") or None
        if before != after:
            fact = self._field("slot_width_changed", slot, old, new, "width")
            words = {"old": _WIDTHS[before], "new": _WIDTHS[after], "old_width": before or "no 64 bits"}
            yield fact.replace(facts={**fact.facts, **words})

    def _hash(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        if (old.get("hash") or None) != (new.get("hash") or None):
            yield self._field("slot_hash_changed", slot, old, new, "hash")

    def _nested(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        before, after = _held(old), _held(new)
        if before is None or after is None:
            if before is not after:
                event: EventId = "slot_nested_added" if before is None else "slot_nested_dropped"
                yield self._field(event, slot, old, new, "nested_flatbuffer").replace(old=before, new=after)
        elif not self._pair.is_one(before, after):
            yield self._field("slot_nested_changed", slot, old, new, "nested_flatbuffer").replace(old=before, new=after)

    def _alignment(self, slot: int, old: Attr, new: Attr) -> Iterator[Fact]:
        before, after = old.get("force_align") or 0, new.get("force_align") or 0
        if before != after:
            event: EventId = "slot_alignment_raised" if after > before else "slot_alignment_lowered"
            fact = self._field(event, slot, old, new, "force_align")
            words = {"old": before or "that of its items", "new": after or "that of its items"}
            yield fact.replace(facts={**fact.facts, **words})

    def _keys(self) -> Iterator[Fact]:
        before, after = ([attr for attr in op.attrs if attr.get("key") is True] for op in (self._old, self._new))
        slots = [{attr.get("slot") for attr in keys} for keys in (before, after)]
        if slots[0] == slots[1]:
            return
        old, new = (keys[0] if keys else None for keys in (before, after))
        event: EventId = "slot_key_set" if old is None else "slot_key_cleared" if new is None else "slot_key_changed"
        attr = old or new
        if attr is not None:
            slot: int = attr.get("slot")
            fact = self._fact(event, slot, old, new, field="key")
            yield fact.replace(old=None if old is None else old.name, new=None if new is None else new.name)

    def _field(self, event: EventId, slot: int, old: Attr, new: Attr, field: str) -> Fact:
        return self._fact(event, slot, old, new, field=field)

    def _fact(  # noqa: PLR0913, PLR0917 - what happened, to what, and what it means
        self,
        event: EventId,
        slot: int,
        old: Attr | None,
        new: Attr | None,
        field: str | None = None,
        new_name: str | None = None,
        new_meaning: str | None = None,
    ) -> Fact:
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
                "vtable": 4 + 2 * slot,
                "what": "field",
                "other": None if new is None else new.name,
                "old_meaning": NO_FIELD if old is None else _part(base, TableSlot(attr=old)),
                "new_meaning": new_meaning or (NO_FIELD if new is None else _part(head, TableSlot(attr=new))),
                "example": "" if old is None or new is None else _example(self._pair, old, new),
            },
        )


def _part(types: Types, slot: TableSlot) -> str:
    if slot.is_type:
        return f"the number of the member of the union '{slot.attr.name}'"
    return f"'{slot.attr.name}', {types.meaning(str(slot.attr.type))}"


def _example(pair: SchemaPair, old: Attr, new: Attr) -> str:
    """Return bytes that are read differently, as the end of a sentence."""
    shown = pair.example(str(old.type), str(new.type))
    return f"; {shown}" if shown else ""


def _value(attr: Attr | None, field: str | None) -> object:
    """Return the value of a field for a fact: that of `field`, or all that is said of it."""
    if attr is None:
        return None
    if field is not None:
        return _known(attr.get(field))
    named = (
        *("slot", "type", "default_value", "required", "deprecated", "key"),
        *("nested_flatbuffer", "flexbuffer", "hash", "width", "force_align"),
    )
    said = {name: _known(attr.get(name)) for name in named}
    return {"name": attr.name, **{name: value for name, value in said.items() if value not in (None, False)}}


def _known(value: object) -> object:
    return None if value is UNKNOWN else value


def _held(attr: Attr) -> str | None:
    """Return the table whose FlatBuffer the bytes of a field hold, None for bytes of which nothing is said."""
    return _FLEXBUFFER if attr.get("flexbuffer") is True else attr.get("nested_flatbuffer") or None


def _number(value: object) -> object:
    """Return a default value as the number that it is: true is 1."""
    return int(value) if isinstance(value, bool) else value

"""A reader of FlatBuffers without generated code: tables, vectors and strings, with every offset checked.

All bytes that are read are counted, repeatedly if they are read repeatedly. So a small file whose parts overlap, or are
referenced again and again, cannot expand into a large model.
"""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_U32 = struct.Struct("<I")
_I32 = struct.Struct("<i")
_U16 = struct.Struct("<H")
_SCALARS = {
    "bool": struct.Struct("<?"),
    "byte": struct.Struct("<b"),
    "ubyte": struct.Struct("<B"),
    "int": _I32,
    "uint": _U32,
    "ulong": struct.Struct("<Q"),
}


_MAX_READS = 4
"""How often a file may be read as a whole: names and shapes may be shared, and operators are read twice."""


class Buffer:
    """A FlatBuffer: access to its parts by position. All methods raise ValueError where the file is damaged."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._left = _MAX_READS * len(data)
        self._strings: dict[int, str] = {}
        self._vectors: dict[int, tuple[int, ...]] = {}

    def root(self) -> Table:
        """Return the root table of the file."""
        return self.table(self.offset(0))

    def offset(self, at: int) -> int:
        """Return the position that the offset at `at` refers to."""
        target = at + self.number(_U32, at)
        if not at < target < len(self._data):
            raise ValueError(f"the offset at byte {at} points outside the file")
        return target

    def number(self, form: struct.Struct, at: int) -> int:
        """Return the number at a position."""
        if not 0 <= at <= len(self._data) - form.size:
            raise ValueError(f"there is nothing at byte {at}")
        value: int = form.unpack(self._data[at : at + form.size])[0]
        return value

    def table(self, at: int) -> Table:
        """Return the table at a position."""
        # A table begins with the signed distance back to its vtable. A vtable begins with its own size and the size of
        # the table, and has an offset per field from there on.
        vtable = at - self.number(_I32, at)
        if vtable < 0:
            raise ValueError(f"the table at byte {at} is damaged")
        size, inline = (self.number(_U16, vtable + step) for step in (0, 2))
        if size < 4 or size % 2 or vtable + size > len(self._data) or inline < 4 or at + inline > len(self._data):
            raise ValueError(f"the table at byte {at} is damaged")
        self.charge(inline)
        return Table(self, at, vtable, size, inline)

    def vector(self, at: int, item: int) -> tuple[int, int]:
        """Return the position of the first item of a vector, and the number of items, each `item` bytes long."""
        count = self.number(_U32, at)
        # Checked before anything of this size is allocated.
        if count * item > len(self._data) - at - 4:
            raise ValueError(f"the vector at byte {at} is longer than the file")
        return at + 4, count

    def string(self, at: int) -> str:
        """Return the string at a position; bytes that are not UTF-8 become backslash escapes."""
        begin, count = self.vector(at, 1)
        self.charge(count)
        if at not in self._strings:
            self._strings[at] = bytes(self._data[begin : begin + count]).decode("utf-8", "backslashreplace")
        return self._strings[at]

    def ints(self, at: int) -> tuple[int, ...]:
        """Return the vector of ints at a position."""
        begin, count = self.vector(at, 4)
        self.charge(4 * count)
        if at not in self._vectors:
            self._vectors[at] = struct.unpack(f"<{count}i", bytes(self._data[begin : begin + 4 * count]))
        return self._vectors[at]

    def numbers(self, at: int, form: struct.Struct, at_most: int) -> tuple[float, ...]:
        """Return up to `at_most` numbers of the vector at a position."""
        begin, count = self.vector(at, form.size)
        size = form.size * min(count, at_most)
        self.charge(size)
        return tuple(number for (number,) in form.iter_unpack(self._data[begin : begin + size]))

    def bytes_at(self, at: int, at_most: int) -> bytes:
        """Return up to `at_most` bytes of the byte vector at a position."""
        begin, count = self.vector(at, 1)
        return bytes(self._data[begin : begin + min(count, at_most)])

    def charge(self, size: int) -> None:
        """Count `size` bytes as read. Raises ValueError when the file was read more often than any valid file needs."""
        self._left -= size
        if self._left < 0:
            raise ValueError("its parts overlap")


class Table:
    """A table of a FlatBuffer: its fields by slot; absent fields have their defaults."""

    __slots__ = ("_buffer", "_inline", "_size", "_vtable", "at")

    def __init__(self, buffer: Buffer, at: int, vtable: int, size: int, inline: int) -> None:
        self._buffer = buffer
        self.at = at
        self._vtable = vtable
        self._size = size
        self._inline = inline

    def _field_position(self, slot: int) -> int:
        """Return the position of a field, 0 if it is absent."""
        entry = 4 + 2 * slot
        # A writer with an older schema has a shorter vtable: the field did not exist yet.
        if entry + 2 > self._size:
            return 0
        step = self._buffer.number(_U16, self._vtable + entry)
        if step >= self._inline:
            raise ValueError(f"a field of the table at byte {self.at} lies outside it")
        return self.at + step if step else 0

    def scalar(self, slot: int, form: str, default: int = 0) -> int:
        """Return a scalar; `form` is bool, byte, ubyte, int, uint or ulong."""
        place = self._field_position(slot)
        return self._buffer.number(_SCALARS[form], place) if place else default

    def number(self, slot: int, form: struct.Struct) -> float | None:
        """Return a number, None if it is absent."""
        place = self._field_position(slot)
        return self._buffer.number(form, place) if place else None

    def numbers(self, slot: int, form: struct.Struct, at_most: int) -> tuple[float, ...] | None:
        """Return up to `at_most` numbers of a vector, None if it is absent."""
        place = self._field_position(slot)
        return self._buffer.numbers(self._buffer.offset(place), form, at_most) if place else None

    def string(self, slot: int) -> str:
        """Return a string, "" if it is absent."""
        place = self._field_position(slot)
        return self._buffer.string(self._buffer.offset(place)) if place else ""

    def ints(self, slot: int) -> tuple[int, ...]:
        """Return a vector of ints, empty if it is absent."""
        place = self._field_position(slot)
        return self._buffer.ints(self._buffer.offset(place)) if place else ()

    def length(self, slot: int) -> int:
        """Return the number of bytes of a byte vector, 0 if it is absent."""
        return self.items(slot, 1) or 0

    def first_bytes(self, slot: int, at_most: int) -> bytes:
        """Return up to `at_most` bytes of a byte vector."""
        place = self._field_position(slot)
        return self._buffer.bytes_at(self._buffer.offset(place), at_most) if place else b""

    def table(self, slot: int) -> Table | None:
        """Return a table, None if it is absent."""
        place = self._field_position(slot)
        return self._buffer.table(self._buffer.offset(place)) if place else None

    def items(self, slot: int, size: int) -> int | None:
        """Return the number of items in a vector of scalars of `size` bytes, None if it is absent."""
        place = self._field_position(slot)
        if not place:
            return None
        _, count = self._buffer.vector(self._buffer.offset(place), size)
        return count

    def table_positions(self, slot: int) -> Sequence[int]:
        """Return the positions of the tables in a vector, which are not checked yet."""
        place = self._field_position(slot)
        if not place:
            return ()
        begin, count = self._buffer.vector(self._buffer.offset(place), 4)
        self._buffer.charge(4 * count)
        return [self._buffer.offset(begin + 4 * index) for index in range(count)]

    def tables(self, slot: int) -> list[Table]:
        """Return the tables in a vector, empty if it is absent."""
        return [self._buffer.table(place) for place in self.table_positions(slot)]

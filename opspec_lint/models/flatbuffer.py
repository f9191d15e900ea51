"""FlatBuffers without generated code: tables, vectors and strings at their offsets, each of which is checked.

What is read is counted, as often as it is: parts that lie over one another, or are named again and again, would let a
small file stand for a large one.
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


_TIMES = 4
"""How often a file may be read as a whole: names and shapes may be shared, and operators are read twice."""


class Buffer:
    """A FlatBuffer.

    Args:
        data: its bytes.
    """

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._left = _TIMES * len(data)
        self._strings: dict[int, str] = {}
        self._vectors: dict[int, tuple[int, ...]] = {}

    def root(self) -> Table:
        """Return the table that a file is entered by.

        Raises:
            ValueError: there is none.
        """
        return self.table(self.offset(0))

    def offset(self, at: int) -> int:
        """Return the place that the offset at a place points to.

        Raises:
            ValueError: the offset points outside the file.
        """
        found = at + self.number(_U32, at)
        if not at < found < len(self._data):
            raise ValueError(f"the offset at byte {at} points outside the file")
        return found

    def number(self, form: struct.Struct, at: int) -> int:
        """Return the number at a place.

        Raises:
            ValueError: the number does not lie in the file.
        """
        if not 0 <= at <= len(self._data) - form.size:
            raise ValueError(f"there is nothing at byte {at}")
        found: int = form.unpack(self._data[at : at + form.size])[0]
        return found

    def table(self, at: int) -> Table:
        """Return the table at a place.

        Raises:
            ValueError: there is none, or what was read lies over one another.
        """
        vtable = at - self.number(_I32, at)
        if vtable < 0:
            raise ValueError(f"the table at byte {at} is damaged")
        size, inline = (self.number(_U16, vtable + step) for step in (0, 2))
        if size < 4 or size % 2 or vtable + size > len(self._data) or inline < 4 or at + inline > len(self._data):
            raise ValueError(f"the table at byte {at} is damaged")
        self.count(inline)
        return Table(self, at, vtable, size, inline)

    def vector(self, at: int, item: int) -> tuple[int, int]:
        """Return where the items of the vector at a place begin, and how many there are.

        Args:
            at: where the vector is.
            item: the bytes of an item.

        Raises:
            ValueError: the vector does not lie in the file.
        """
        count = self.number(_U32, at)
        if count * item > len(self._data) - at - 4:
            raise ValueError(f"the vector at byte {at} is longer than the file")
        return at + 4, count

    def string(self, at: int) -> str:
        """Return the string at a place; bytes that are no UTF-8 are written out.

        Raises:
            ValueError: the string does not lie in the file.
        """
        begin, count = self.vector(at, 1)
        self.count(count)
        if at not in self._strings:
            self._strings[at] = bytes(self._data[begin : begin + count]).decode("utf-8", "backslashreplace")
        return self._strings[at]

    def ints(self, at: int) -> tuple[int, ...]:
        """Return the vector of ints at a place.

        Raises:
            ValueError: the vector does not lie in the file.
        """
        begin, count = self.vector(at, 4)
        self.count(4 * count)
        if at not in self._vectors:
            self._vectors[at] = struct.unpack(f"<{count}i", bytes(self._data[begin : begin + 4 * count]))
        return self._vectors[at]

    def bytes_at(self, at: int, at_most: int) -> bytes:
        """Return the first bytes of the vector of bytes at a place.

        Raises:
            ValueError: the vector does not lie in the file.
        """
        begin, count = self.vector(at, 1)
        return bytes(self._data[begin : begin + min(count, at_most)])

    def count(self, size: int) -> None:
        """Count bytes that were read.

        Raises:
            ValueError: more was read than the file has.
        """
        self._left -= size
        if self._left < 0:
            raise ValueError("its parts overlap")


class Table:
    """A table of a FlatBuffer: its fields by their slots, absent ones at their defaults."""

    __slots__ = ("_buffer", "_inline", "_size", "_vtable", "at")

    def __init__(self, buffer: Buffer, at: int, vtable: int, size: int, inline: int) -> None:
        self._buffer = buffer
        self.at = at
        self._vtable = vtable
        self._size = size
        self._inline = inline

    def _place(self, slot: int) -> int:
        """Return where a field stands, 0 where it is absent."""
        entry = 4 + 2 * slot
        if entry + 2 > self._size:
            return 0
        step = self._buffer.number(_U16, self._vtable + entry)
        if step >= self._inline:
            raise ValueError(f"a field of the table at byte {self.at} lies outside it")
        return self.at + step if step else 0

    def scalar(self, slot: int, form: str, default: int = 0) -> int:
        """Return a scalar: a bool, byte, ubyte, int, uint or ulong."""
        place = self._place(slot)
        return self._buffer.number(_SCALARS[form], place) if place else default

    def string(self, slot: int) -> str:
        """Return a string, "" where it is absent."""
        place = self._place(slot)
        return self._buffer.string(self._buffer.offset(place)) if place else ""

    def ints(self, slot: int) -> tuple[int, ...]:
        """Return a vector of ints, empty where it is absent."""
        place = self._place(slot)
        return self._buffer.ints(self._buffer.offset(place)) if place else ()

    def length(self, slot: int) -> int:
        """Return how many bytes a vector of bytes has."""
        place = self._place(slot)
        return self._buffer.vector(self._buffer.offset(place), 1)[1] if place else 0

    def bytes_of(self, slot: int, at_most: int) -> bytes:
        """Return the first bytes of a vector of bytes."""
        place = self._place(slot)
        return self._buffer.bytes_at(self._buffer.offset(place), at_most) if place else b""

    def table(self, slot: int) -> Table | None:
        """Return a table, None where it is absent."""
        place = self._place(slot)
        return self._buffer.table(self._buffer.offset(place)) if place else None

    def items(self, slot: int, size: int) -> int | None:
        """Return the number of items in a vector of scalars of `size` bytes, None where it is absent."""
        place = self._place(slot)
        return self._buffer.vector(self._buffer.offset(place), size)[1] if place else None

    def places(self, slot: int) -> Sequence[int]:
        """Return where the tables of a vector stand; each is checked when it is read."""
        place = self._place(slot)
        if not place:
            return ()
        begin, count = self._buffer.vector(self._buffer.offset(place), 4)
        self._buffer.count(4 * count)
        return [self._buffer.offset(begin + 4 * each) for each in range(count)]

    def tables(self, slot: int) -> list[Table]:
        """Return the tables of a vector, none where it is absent."""
        return [self._buffer.table(place) for place in self.places(slot)]

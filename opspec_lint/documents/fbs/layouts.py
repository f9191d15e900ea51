"""The layouts of structs: offsets, size and alignment, by the rules of https://flatbuffers.dev/internals."""

from __future__ import annotations

from opspec_lint.documents.fbs import attributes
from opspec_lint.documents.fbs.numbers import integer
from opspec_lint.kit.record import Record
from opspec_lint.spec.slots import SCALARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.documents.fbs.names import SchemaNames
    from opspec_lint.documents.fbs.syntax import RawDeclaration, RawItem

_LONGEST_ARRAY = 0xFFFF


class StructLayout(Record):
    """The size, the alignment and the field offsets of a struct, in bytes."""

    size: int
    alignment: int
    offsets: tuple[int, ...]


class _Extent(Record):
    """The number of items in a field of a struct, one without an array, and the size and alignment of each."""

    count: int
    size: int
    alignment: int


class StructLayouts:
    """The layouts of all structs of a schema, each computed once."""

    def __init__(self, names: SchemaNames) -> None:
        self._names = names
        self._found: dict[str, StructLayout] = {}

    def of(self, name: str) -> StructLayout:
        """Return the layout of a struct.

        Raises:
            InputError: the struct has no field, or one that no struct can hold.
        """
        if name not in self._found:
            self._found[name] = self._layout(self._names.raws[name])
        return self._found[name]

    def _layout(self, raw: RawDeclaration) -> StructLayout:
        """Return the layout of a struct: each field begins at the next multiple of its alignment, as in C."""
        if not raw.items:
            raw.text.refuse(raw.at, f"the struct {raw.name!r} has no field", "declare a field, or make it a table")
        size, alignment, offsets = 0, 1, []
        for item in raw.items:
            extent = self._extent(raw, item)
            alignment = max(alignment, extent.alignment)
            # In Python the remainder of a negative number is not negative: it is the padding up to the next multiple.
            size += -size % extent.alignment
            offsets.append(size)
            size += extent.count * extent.size
        given = attributes.values(self._names, raw.attributes, raw, raw.at)
        alignment = attributes.alignment(given, raw, alignment)
        return StructLayout(size=size + -size % alignment, alignment=alignment, offsets=tuple(offsets))

    def _extent(self, raw: RawDeclaration, item: RawItem) -> _Extent:
        """Return the extent of a struct's field; refuse a type or a length that no struct can have."""
        kind = self._names.type_of(raw, item)
        scalar = self._names.scalar_of(kind)
        if item.length == "" or (scalar is None and self._names.form(kind) != "struct"):
            problem = f"the field {item.name!r} of the struct {raw.name!r} must be a scalar, an enum or a struct"
            raw.text.refuse(raw.place(item), problem)
        length = 1 if item.length is None else integer(raw, item, item.length)
        if not 0 < length <= _LONGEST_ARRAY:
            raw.text.refuse(raw.place(item), f"the array {item.name!r} must have 1 to {_LONGEST_ARRAY} items")
        if scalar is not None:
            return _Extent(count=length, size=SCALARS[scalar], alignment=SCALARS[scalar])
        if kind == raw.full_name:
            raw.text.refuse(raw.at, f"the struct {raw.name!r} contains itself")
        if not self._names.is_above(kind, raw):
            problem = f"the struct {item.type!r} is declared below"
            raw.text.refuse(raw.place(item), problem, f"declare {item.type!r} above {raw.name!r}")
        # The struct is declared above this one, so that the recursion ends.
        inside = self.of(kind)
        return _Extent(count=length, size=inside.size, alignment=inside.alignment)

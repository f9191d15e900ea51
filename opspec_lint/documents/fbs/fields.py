"""The fields of tables and structs: slots, default values, and names that collide in generated code.

The fields of a declaration come as parsed items (`RawItem`), and become `SchemaField`s with the slot or offset, the
type and the default value that `flatc` gives them.
"""

from __future__ import annotations

from itertools import accumulate

from opspec_lint.documents.fbs import attributes, constants
from opspec_lint.documents.fbs.attributes import FieldType
from opspec_lint.documents.fbs.numbers import integer, refuse_repeated
from opspec_lint.documents.fbs.schema import SchemaField
from opspec_lint.documents.fbs.strings import is_string, remove_quotes
from opspec_lint.spec.slots import FLOATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.documents.fbs.layouts import StructLayout
    from opspec_lint.documents.fbs.names import SchemaNames
    from opspec_lint.documents.fbs.numbers import ItemNumbers
    from opspec_lint.documents.fbs.syntax import RawDeclaration, RawItem

_LONGEST = 40
"""Characters of a number or value in a message."""
_ZERO: Mapping[str, bool | float] = {"bool": False, "float": 0.0, "double": 0.0}
"""The implicit default value of the scalar types that are no integers."""
_ACCESSORS = {
    "_type": "union",
    "Type": "union",
    "_length": "vector",
    "Length": "vector",
    "_byte_vector": "string",
    "ByteVector": "string",
}
"""What generated code appends to the name of a field, by what the field is."""


class FieldResolver:
    """Resolves the fields of a schema.

    Args:
        names: the names of the schema.
        numbers: the numbers of its enums.
    """

    def __init__(self, names: SchemaNames, numbers: ItemNumbers) -> None:
        self._names, self._numbers = names, numbers

    def table_fields(self, raw: RawDeclaration) -> Iterator[SchemaField]:
        """Yield the fields of a table.

        Raises:
            InputError: a field is not as `flatc` takes it.
        """
        kinds = [self._names.type_of(raw, item) for item in raw.items]
        self._check_names(raw, kinds)
        for item, kind, slot in zip(raw.items, kinds, self._slots(raw, kinds), strict=True):
            if item.length:
                raw.text.refuse(raw.place(item), f"{item.name!r} is an array, which only a struct may have")
            scalar = None if item.length is not None else self._names.scalar_of(kind)
            default = self._default(raw, item, kind, scalar)
            yield SchemaField(
                name=item.name,
                slot=slot,
                type=kind if item.length is None else f"[{kind}]",
                scalar=scalar,
                default=default,
                attributes=self._attributes(raw, item, is_optional=scalar is not None and default is None),
                text=raw.text,
                at=raw.place(item),
            )

    def struct_fields(self, raw: RawDeclaration, layout: StructLayout) -> Iterator[SchemaField]:
        """Yield the fields of a struct.

        Raises:
            InputError: a field is not as `flatc` takes it.
        """
        kinds = [self._names.type_of(raw, item) for item in raw.items]
        self._check_names(raw, kinds)
        for slot, (item, kind, offset) in enumerate(zip(raw.items, kinds, layout.offsets, strict=True)):
            scalar = self._names.scalar_of(kind)
            if item.value is not None and not self._is_zero(raw, item, kind, scalar):
                raw.text.refuse(raw.place(item), f"{_shorten_value(item)}, which a field of a struct cannot have")
            self._check_number(raw, item, kind, 0)
            yield SchemaField(
                name=item.name,
                slot=slot,
                type=kind if item.length is None else f"[{kind}:{integer(raw, item, item.length)}]",
                scalar=None if item.length is not None else scalar,
                default=None,
                attributes=self._attributes(raw, item),
                text=raw.text,
                at=raw.place(item),
                offset=offset,
            )

    def _check_names(self, raw: RawDeclaration, kinds: Sequence[str]) -> None:
        """Raise an error if generated code would have two accessors of one name."""
        refuse_repeated(raw)
        accessors = {
            item.name + suffix
            for item, kind in zip(raw.items, kinds, strict=True)
            for suffix, what in _ACCESSORS.items()
            if what == self._accessor_kind(item, kind, suffix)
        }
        for item in raw.items:
            full = self._names.full(item.name, raw.namespace)
            if full and self._names.form(full) in ("table", "struct") and self._names.is_known(full, raw, item):
                raw.text.refuse(
                    raw.place(item), f"{item.name!r} is the name of a field, and of a {self._names.form(full)}"
                )
            if item.name in accessors:
                raw.text.refuse(raw.place(item), f"generated code needs the name {item.name!r} for another field")

    def _accessor_kind(self, item: RawItem, kind: str, suffix: str) -> str:
        """Return the kind of a field to the accessors with a suffix; a vector of unions has a field for their types."""
        is_union = self._names.form(kind) == "union"
        if item.length == "" and not (is_union and suffix == "_type"):
            return "" if "vector64" in item.attributes else "vector"
        if is_union:
            return "union"
        return "string" if kind == "string" else ""

    def _attributes(self, raw: RawDeclaration, item: RawItem, *, is_optional: bool = False) -> Mapping[str, Any]:
        """Return the checked attributes of a field; the root table of a nested FlatBuffer has its full name."""
        given = attributes.values(self._names, item.attributes, raw, raw.place(item))
        if not given:
            return given
        attributes.check_field(raw, item, given, FieldType(self._names, raw, item))
        if "key" in given:
            self._check_key(raw, item, is_optional=is_optional)
        nested = given.get("nested_flatbuffer")
        return given if nested is None else {**given, "nested_flatbuffer": self._nested_root(raw, item, nested)}

    def _check_key(self, raw: RawDeclaration, item: RawItem, *, is_optional: bool) -> None:
        """Refuse a key that may be null, and any key but the first."""
        if is_optional:
            raw.text.refuse(raw.place(item), f"{item.name!r} may be null, so it cannot be a key")
        if next(field for field in raw.items if "key" in field.attributes) is not item:
            raw.text.refuse(raw.place(item), f"{raw.name!r} has a second key, {item.name!r}")

    def _nested_root(self, raw: RawDeclaration, item: RawItem, name: str) -> str:
        """Return the full name of the root table that `nested_flatbuffer` names; refuse any other name."""
        full = self._names.full(name, raw.namespace)
        if full is None or self._names.form(full) not in ("table", "struct"):
            raw.text.refuse(raw.place(item), f"nested_flatbuffer names {name[:_LONGEST]!r}, which is not a table")
        return full

    def _slots(self, raw: RawDeclaration, kinds: Sequence[str]) -> list[int]:
        """Return the slot of each field of a table."""
        widths = [2 if self._names.form(kind) == "union" else 1 for kind in kinds]
        bare = [item for item in raw.items if "id" not in item.attributes]
        if len(bare) == len(raw.items):
            return [end - 1 for end in accumulate(widths)]
        if bare:
            problem = f"{bare[0].name!r} has no id, but other fields of {raw.name!r} have one"
            raw.text.refuse(raw.place(bare[0]), problem)
        slots = [integer(raw, item, _id(item)) for item in raw.items]
        self._check_slots(raw, slots, widths)
        return slots

    def _check_slots(self, raw: RawDeclaration, slots: Sequence[int], widths: Sequence[int]) -> None:
        """Refuse a table whose ids repeat, or leave a gap; `widths` are the numbers of slots of its fields."""
        taken: set[int] = set()
        total = sum(widths)
        for item, slot, width in zip(raw.items, slots, widths, strict=True):
            # A union states the id of its value, and has its type in the slot before (https://flatbuffers.dev/schema).
            own = {slot, slot - width + 1}
            if taken & own or min(own) < 0 or slot >= total:
                problem = f"the id {str(slot)[:_LONGEST]} of {item.name!r} is already used, or leaves a gap"
                raw.text.refuse(
                    raw.place(item),
                    problem,
                    "ids count up from 0 without gaps; a union takes two ids, and states the second",
                )
            taken |= own

    def _default(self, raw: RawDeclaration, item: RawItem, kind: str, scalar: str | None) -> Any:
        """Return the default value of a field of a table; None for one without."""
        if scalar is None:
            return None if item.value is None else self._default_of_nonscalar(raw, item, kind, item.value)
        if item.value is None:
            self._check_number(raw, item, kind, 0)
            return _ZERO.get(scalar, 0)
        number = self._value(raw, item, kind, scalar)
        if number is not None:
            self._check_number(raw, item, kind, number)
        elif self._names.form(kind) == "enum" and "null" in self._numbers.enum_numbers(kind):
            raw.text.refuse(raw.place(item), f"{kind!r} has a value null, so {item.name!r} cannot be null")
        return number

    def _default_of_nonscalar(self, raw: RawDeclaration, item: RawItem, kind: str, text: str) -> Any:
        """Return the default value of a string or vector; refuse a text that its type cannot have."""
        if is_string(text) and kind == "string" and item.length is None:
            try:
                return remove_quotes(text)
            except ValueError as error:
                raw.text.refuse(raw.place(item), f"{_shorten_value(item)}: {error}")
        if text[0] == "[" and item.length is not None:
            return ()
        return raw.text.refuse(raw.place(item), f"{_shorten_value(item)}, which a field of its type cannot have")

    def _value(self, raw: RawDeclaration, item: RawItem, kind: str, scalar: str) -> float | None:
        """Return the default value in the text of a scalar field, None for null."""
        names = self._numbers.enum_numbers(kind) if self._names.form(kind) == "enum" else None
        try:
            return constants.default(item.value or "", scalar, names, lambda enum: self._enum_numbers(enum, raw))
        except ValueError as error:
            return raw.text.refuse(raw.place(item), f"{_shorten_value(item)}: {error}")

    def _enum_numbers(self, name: str, raw: RawDeclaration) -> Mapping[str, int] | None:
        """Return the numbers of an enum that is declared above `raw`, None if there is none of this name."""
        full = self._names.full(name, raw.namespace)
        if full is None or self._names.form(full) != "enum" or not self._names.is_above(full, raw):
            return None
        return self._numbers.enum_numbers(full)

    def _is_zero(self, raw: RawDeclaration, item: RawItem, kind: str, scalar: str | None) -> bool:
        """Return whether the default value of a field of a struct is the 0 that `flatc` accepts; 0.0 is not."""
        if scalar is None or item.length:
            return False
        return item.value == "0" if scalar in FLOATS else self._value(raw, item, kind, scalar) == 0

    def _check_number(self, raw: RawDeclaration, item: RawItem, kind: str, number: float) -> None:
        """Raise an error unless the default value of an enum is one of its values; this includes the implicit 0."""
        if self._names.form(kind) != "enum" or "bit_flags" in self._names.raws[kind].attributes:
            return
        if number not in self._numbers.enum_numbers(kind).values():
            problem = f"the default value {number} of {item.name!r} is not a value of the enum {kind!r}"
            raw.text.refuse(raw.place(item), problem, "write a default value that the enum has, or null")


def _shorten_value(item: RawItem) -> str:
    return f"{item.name!r} has the default value {(item.value or '')[:_LONGEST]}"


def _id(item: RawItem) -> str:
    text = str(item.attributes["id"])
    return remove_quotes(text) if is_string(text) else text

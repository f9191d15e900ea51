"""The types of a FlatBuffers schema, and how head reads the bytes of a type of base.

A `TypeShape` is a type with its names resolved. `Types` has the types of one schema; a `SchemaPair` has both schemas,
and compares types of base and head.
"""

from __future__ import annotations

from opspec_lint.diff.slots import rereading
from opspec_lint.kit.record import Record
from opspec_lint.spec.slots import SCALARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TypeAlias

    from opspec_lint.spec.model import Op

    Reading: TypeAlias = Literal["same", "alias", "string_to_bytes", "bytes_to_string", "byte_to_bool", "changed"]

_BYTES = ("byte", "ubyte")


class TypeShape(Record):
    """The structure of a type.

    `form` is "scalar", "enum", "string", "vector", "array", "table", "struct", "union" or "unknown". `name` is the name
    of a declared type, `scalar` the scalar type of the bytes of a scalar or enum, `item` the type of the items of a
    vector or array, and `length` the length of an array.
    """

    form: str
    name: str = ""
    scalar: str | None = None
    item: TypeShape | None = None
    length: str = ""


class Types:
    """The types of one schema.

    Args:
        ops: the declarations of the schema.
    """

    def __init__(self, ops: Mapping[str, Op]) -> None:
        self._ops = ops

    @property
    def declarations(self) -> Mapping[str, Op]:
        """The declarations, by name."""
        return self._ops

    def item_of(self, name: str) -> str:
        """Return the name of a type; for a vector or array, the name of the type of its items."""
        shape = self.shape_of(name)
        return (shape.item or shape).name

    def shape_of(self, name: str) -> TypeShape:
        """Return the structure of a type, from its text: `[Point:3]`."""
        if name.startswith("["):
            item, _, length = name[1:-1].partition(":")
            return TypeShape(form="array" if length else "vector", item=self.shape_of(item), length=length)
        if name in SCALARS:
            return TypeShape(form="scalar", name=name, scalar=name)
        if name == "string":
            return TypeShape(form="string")
        op = self._ops.get(name)
        form = None if op is None else op.get("form")
        if op is None or not isinstance(form, str):
            return TypeShape(form="unknown", name=name)
        return TypeShape(form=form, name=name, scalar=op.get("underlying") if form == "enum" else None)

    def is_union(self, name: str) -> bool:
        """Return whether a field of a type takes two slots: a union, or a vector of a union."""
        shape = self.shape_of(name)
        return "union" in (shape.form, shape.item.form if shape.item else "")

    def numbers(self, enum: str) -> dict[int, str]:
        """Return the names of an enum's values by their numbers."""
        return {attr.get("slot"): attr.name for attr in self._ops[enum].attrs}

    def meaning(self, name: str) -> str:
        """Return the meaning of the bytes of a type as a phrase."""
        return self._meaning_of_shape(self.shape_of(name))

    def _meaning_of_shape(self, shape: TypeShape) -> str:
        """Return the meaning of the bytes of a type as a phrase: "4 bytes of int", "the offset of a string"."""
        if shape.form in ("scalar", "enum"):
            size = SCALARS[str(shape.scalar)]
            what = str(shape.scalar) if shape.form == "scalar" else f"the enum {shape.name}"
            return f"{size} byte{'s' if size > 1 else ''} of {what}"
        if shape.form == "vector" and shape.item is not None:
            return f"the offset of a vector of {shape.item.name or shape.item.form}"
        if shape.form == "array" and shape.item is not None:
            return f"{shape.length} times {self._meaning_of_shape(shape.item)}"
        if shape.form == "struct":
            return f"the {self._ops[shape.name].get('size')} bytes of the struct {shape.name}"
        if shape.form == "union":
            return f"the offset of a member of the union {shape.name}"
        return f"the offset of a {shape.form if shape.form == 'string' else f'{shape.form} {shape.name}'}"


class SchemaPair:
    """The types of base and head, and the renamed declarations.

    Args:
        base: the declarations of base.
        head: the declarations of head.
        renamed: the new names of declarations.
    """

    def __init__(self, base: Mapping[str, Op], head: Mapping[str, Op], renamed: Mapping[str, str]) -> None:
        self.base = Types(base)
        self.head = Types(head)
        self._renamed = renamed

    def is_same_declaration(self, old: str, new: str) -> bool:
        """Return whether a declaration of head is a declaration of base, perhaps under a new name."""
        return self._renamed.get(old, old) == new

    def is_used_in_both(self, old: str, new: str) -> bool:
        """Return whether a field with the same slot in both schemas has an enum as its type.

        True as well if no field of base has it: then nobody knows how it is used. A field that one side deprecates does
        not count, as that side does not write or read it.
        """
        is_used = False
        for name, op in self.base.declarations.items():
            fields = [attr for attr in op.attrs if self.base.item_of(str(attr.type)) == old]
            is_used = is_used or bool(fields)
            partner = self.head.declarations.get(self._renamed.get(name, name)) if fields else None
            slots = {} if partner is None else {attr.get("slot"): attr for attr in partner.attrs}
            for attr in fields:
                kept = slots.get(attr.get("slot"))
                if kept is None or True in (attr.get("deprecated"), kept.get("deprecated")):
                    continue
                if self.head.item_of(str(kept.type)) == new:
                    return True
        return not is_used

    def read(self, old: str, new: str) -> Reading:
        """Return how head, with another type, reads the bytes of a type of base.

        "alias": with the same value. "string_to_bytes", "bytes_to_string" and "byte_to_bool" are readable conversions
        with conditions. "changed": with another meaning.
        """
        if old == new and old not in self._renamed:
            return "same"
        return self._read(self.base.shape_of(old), self.head.shape_of(new))

    def _read(self, old: TypeShape, new: TypeShape) -> Reading:
        """Return how head reads bytes that were written as another type."""
        if old.scalar and new.scalar:
            return self._read_scalar(old, new)
        if old.form == new.form:
            if old.item and new.item:
                return self._read(old.item, new.item) if old.length == new.length else "changed"
            return "same" if self.is_same_declaration(old.name, new.name) else "changed"
        if old.form == "string" and new.item and new.form == "vector" and new.item.scalar in _BYTES:
            return "string_to_bytes"
        if new.form == "string" and old.item and old.form == "vector" and old.item.scalar in _BYTES:
            return "bytes_to_string"
        return "changed"

    def _read_scalar(self, old: TypeShape, new: TypeShape) -> Reading:
        """Return how head reads the bytes of a scalar or enum; enums are equal if no number has two names."""
        if old.form == new.form == "enum":
            if self.is_same_declaration(old.name, new.name):
                return "same"  # what changed in the enum is a fact of the enum
            numbers, others = self.base.numbers(old.name), self.head.numbers(new.name)
            if any(others.get(number, name) != name for number, name in numbers.items()):
                return "changed"
        if old.scalar == new.scalar:
            return "same" if old.form == new.form == "scalar" else "alias"
        # A bool is one byte, 0 or 1; the reverse is lossy, as a byte may have other values.
        if old.scalar == "bool" and new.scalar in _BYTES:
            return "alias"
        return "byte_to_bool" if new.scalar == "bool" and old.scalar in _BYTES else "changed"

    def example(self, old: str, new: str) -> str:
        """Return bytes that a type of base and one of head read differently, with both values; "" if there are none."""
        before, after = self.base.shape_of(old), self.head.shape_of(new)
        if before.item and after.item and before.form == after.form == "vector":
            before, after = before.item, after.item
        if not before.scalar or not after.scalar:
            return ""
        return rereading.find_example(before.scalar, after.scalar)

"""The types of one schema, and what bytes of a type of base are to head."""

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
    """What a type is: `form` is "scalar", "enum", "string", "vector", "array", "table", "struct", "union" or "unknown".

    `name` is that of a declared type, `scalar` what the bytes of a scalar or enum are, `item` what a vector or array
    is of, and `length` how many an array has.
    """

    form: str
    name: str = ""
    scalar: str | None = None
    item: TypeShape | None = None
    length: str = ""


class Types:
    """The types of one schema.

    Args:
        ops: its declarations.
    """

    def __init__(self, ops: Mapping[str, Op]) -> None:
        self._ops = ops

    @property
    def declarations(self) -> Mapping[str, Op]:
        """The declarations, by name."""
        return self._ops

    def item_of(self, name: str) -> str:
        """Return the name of a type; of a vector or array, that of its items."""
        kind = self.kind(name)
        return (kind.item or kind).name

    def kind(self, name: str) -> TypeShape:
        """Return the kind of a type."""
        if name.startswith("["):
            item, _, length = name[1:-1].partition(":")
            return TypeShape(form="array" if length else "vector", item=self.kind(item), length=length)
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
        """Tell whether a type takes two slots: a union, or a vector of one."""
        kind = self.kind(name)
        return "union" in (kind.form, kind.item.form if kind.item else "")

    def numbers(self, enum: str) -> dict[int, str]:
        """Return the names of an enum's values by their numbers."""
        return {each.get("slot"): each.name for each in self._ops[enum].attrs}

    def meaning(self, name: str) -> str:
        """Return the meaning of the bytes of a type, in words."""
        return self._meaning(self.kind(name))

    def _meaning(self, kind: TypeShape) -> str:
        if kind.form in ("scalar", "enum"):
            size = SCALARS[str(kind.scalar)]
            what = str(kind.scalar) if kind.form == "scalar" else f"the enum {kind.name}"
            return f"{size} byte{'s' if size > 1 else ''} of {what}"
        if kind.form == "vector" and kind.item is not None:
            return f"the offset of a vector of {kind.item.name or kind.item.form}"
        if kind.form == "array" and kind.item is not None:
            return f"{kind.length} times {self._meaning(kind.item)}"
        if kind.form == "struct":
            return f"the {self._ops[kind.name].get('size')} bytes of the struct {kind.name}"
        if kind.form == "union":
            return f"the offset of a member of the union {kind.name}"
        return f"the offset of a {kind.form if kind.form == 'string' else f'{kind.form} {kind.name}'}"


class SchemaPair:
    """Base's and head's types, and which declarations of them are one.

    Args:
        base: the declarations of base.
        head: those of head.
        renamed: the declarations that head has under another name.
    """

    def __init__(self, base: Mapping[str, Op], head: Mapping[str, Op], renamed: Mapping[str, str]) -> None:
        self.base = Types(base)
        self.head = Types(head)
        self._renamed = renamed

    def is_one(self, old: str, new: str) -> bool:
        """Tell whether a declaration of base is that of head."""
        return self._renamed.get(old, old) == new

    def is_exchanged(self, old: str, new: str) -> bool:
        """Tell whether a slot that both schemas use is of an enum in both; true as well if no field of base is.

        A slot that one side deprecates is not written by it, or not read.
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
        """Tell what bytes of a type of base are to head, which takes them for another type."""
        if old == new and old not in self._renamed:
            return "same"
        return self._read(self.base.kind(old), self.head.kind(new))

    def _read(self, old: TypeShape, new: TypeShape) -> Reading:
        if old.scalar and new.scalar:
            return self._read_scalar(old, new)
        if old.form == new.form:
            if old.item and new.item:
                return self._read(old.item, new.item) if old.length == new.length else "changed"
            return "same" if self.is_one(old.name, new.name) else "changed"
        if old.form == "string" and new.item and new.form == "vector" and new.item.scalar in _BYTES:
            return "string_to_bytes"
        if new.form == "string" and old.item and old.form == "vector" and old.item.scalar in _BYTES:
            return "bytes_to_string"
        return "changed"

    def _read_scalar(self, old: TypeShape, new: TypeShape) -> Reading:
        if old.form == new.form == "enum":
            if self.is_one(old.name, new.name):
                return "same"  # what changed in the enum is a fact of the enum
            numbers, others = self.base.numbers(old.name), self.head.numbers(new.name)
            if any(others.get(number, name) != name for number, name in numbers.items()):
                return "changed"
        if old.scalar == new.scalar:
            return "same" if old.form == new.form == "scalar" else "alias"
        if old.scalar == "bool" and new.scalar in _BYTES:
            return "alias"
        return "byte_to_bool" if new.scalar == "bool" and old.scalar in _BYTES else "changed"

    def example(self, old: str, new: str) -> str:
        """Return bytes that a type of base and one of head read differently, with what each reads; "" for none."""
        before, after = self.base.kind(old), self.head.kind(new)
        if before.item and after.item and before.form == after.form == "vector":
            before, after = before.item, after.item
        if not before.scalar or not after.scalar:
            return ""
        return rereading.find_example(before.scalar, after.scalar)

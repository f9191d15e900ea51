"""Resolves what a schema declares: names of types, slots, numbers of enums and unions, default values, layouts.

The rules are those of `flatc` (https://flatbuffers.dev/schema): fields without `id` have the slots of their order, a
union takes two, the values of an enum count on from the last one. What `flatc` refuses and what decides no byte is
not looked for.
"""

from __future__ import annotations

from itertools import accumulate

from opspec_lint.documents.fbs import constants
from opspec_lint.documents.fbs.includes import parse_all
from opspec_lint.documents.fbs.layouts import Layouts
from opspec_lint.documents.fbs.names import Names, attributes, integer, refuse_repeated, scalar
from opspec_lint.documents.fbs.schema import Declaration, Field, Member, Schema, Value
from opspec_lint.documents.fbs.syntax import unquoted
from opspec_lint.kit.errors import nearest_advice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.documents.fbs.includes import Read
    from opspec_lint.documents.fbs.syntax import RawDeclaration, RawFile, RawItem
    from opspec_lint.documents.fbs.text import Text
    from opspec_lint.spec.model import Origin

_GREATEST_MEMBER = 0xFFFFFFFF
_LONGEST = 40
"""Characters of a number or value in a message."""
_ZERO: Mapping[str, bool | float] = {"bool": False, "float": 0.0, "double": 0.0}


def _nothing(_: str) -> None:
    """Be the reader of a tree without other files."""


def read_schema(
    data: bytes,
    path: str,
    read: Read = _nothing,
    called: Callable[[str], str] = str,
    placed: Callable[[str], str] = str,
) -> Schema:
    """Return the schema that a file holds, with all that it includes.

    Args:
        data: the bytes of the file.
        path: its path in the tree, with slashes.
        read: reads another file of the tree by its path, for includes; returns None where there is none.
        called: returns what messages call a file, by its path.
        placed: returns the file of the origins, by its path.

    Raises:
        InputError: it is no schema, or an include is not in the tree; the message names the file and the line.
    """
    files = parse_all(data, path, read, called, placed)
    if not any(raw.declarations for raw in files.values()):
        files[path].text.refuse(0, "declares no table, struct, enum or union", "expected a FlatBuffers schema")
    resolver = _Resolver(Names(each for raw in files.values() for each in raw.declarations))
    root, root_origin = _last(files, lambda raw: raw.root and resolver.root(raw.text, *raw.root))
    identifier, identifier_origin = _last(files, lambda raw: raw.file_identifier and _identifier(raw))
    extension, _ = _last(files, lambda raw: raw.file_extension)
    return Schema(
        declarations=resolver.declarations(),
        root=root,
        root_origin=root_origin,
        file_identifier=identifier,
        file_identifier_origin=identifier_origin,
        file_extension=extension,
        files=tuple(files),
    )


def _last(files: Mapping[str, RawFile], find: Callable[[RawFile], Any]) -> tuple[Any, Any]:
    """Return what the last of some files says, with its place; included files stand first."""
    return next((found for raw in reversed(list(files.values())) if (found := find(raw))), (None, None))


def _identifier(raw: RawFile) -> tuple[str, Origin]:
    name, at = raw.file_identifier or ("", 0)
    if len(name.encode("utf-8", "surrogatepass")) != 4:
        raw.text.refuse(at, f"file_identifier must have 4 characters, found {name[:_LONGEST]!r}")
    return name, raw.text.origin(at)


class _Resolver:
    """Resolves the declarations of all files of a schema."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._layouts = Layouts(names)

    def declarations(self) -> dict[str, Declaration]:
        """Return every declaration by its full name."""
        return {name: self._declaration(name, raw) for name, raw in self._names.raws.items()}

    def root(self, text: Text, name: str, namespace: str, at: int) -> tuple[str, Origin]:
        """Return the full name of the root type, and its place."""
        full = self._names.full(name, namespace)
        if full is None or self._names.form(full) != "table":
            text.refuse(
                at, f"the root type {name!r} is not a table of the schema", nearest_advice(name, self._names.raws)
            )
        return full, text.origin(at)

    def _declaration(self, name: str, raw: RawDeclaration) -> Declaration:
        return Declaration(
            name=name,
            form=raw.form,
            text=raw.text,
            at=raw.at,
            attributes=attributes(raw.attributes, raw, raw.at),
            **getattr(self, f"_{raw.form}")(name, raw),
        )

    def _table(self, _: str, raw: RawDeclaration) -> dict[str, Any]:
        refuse_repeated(raw)
        return {"fields": tuple(self._table_fields(raw))}

    def _struct(self, name: str, raw: RawDeclaration) -> dict[str, Any]:
        refuse_repeated(raw)
        layout = self._layouts.of(name)
        fields = tuple(self._struct_fields(raw, layout.offsets))
        return {"fields": fields, "size": layout.size, "alignment": layout.alignment}

    def _enum(self, name: str, raw: RawDeclaration) -> dict[str, Any]:
        values = tuple(
            Value(name=each, number=number, text=raw.text, at=raw.place(item))
            for item, (each, number) in zip(raw.items, self._names.numbers(name).items(), strict=True)
        )
        return {"values": values, "scalar": self._names.underlying(raw)}

    def _union(self, _: str, raw: RawDeclaration) -> dict[str, Any]:
        return {"members": tuple(self._members(raw)), "scalar": scalar(raw.underlying or "ubyte")}

    def _members(self, raw: RawDeclaration) -> Iterator[Member]:
        last, names, numbers = 0, set[str](), {0}
        for item in raw.items:
            name = item[0] or item[2].rpartition(".")[2]
            if name == "NONE" and not item[0] and item[4] in (None, "0"):
                continue  # it is written out at times
            last = last + 1 if item[4] is None else integer(raw, item, item[4])
            if name in names or last in numbers or not 0 < last <= _GREATEST_MEMBER:
                problem = (
                    f"the number {str(last)[:_LONGEST]} or the name {name!r} is already used, or not allowed in a union"
                )
                raw.text.refuse(raw.place(item), problem)
            kind = self._names.type_of(raw, item)
            if kind != "string" and self._names.form(kind) not in ("table", "struct"):
                raw.text.refuse(raw.place(item), f"the member {name!r} must be a table, a struct or string")
            names.add(name)
            numbers.add(last)
            yield Member(name=name, number=last, type=kind, text=raw.text, at=raw.place(item))

    def _table_fields(self, raw: RawDeclaration) -> Iterator[Field]:
        kinds = [self._names.type_of(raw, item) for item in raw.items]
        for item, kind, slot in zip(raw.items, kinds, self._slots(raw, kinds), strict=True):
            if item[3]:
                raw.text.refuse(raw.place(item), f"{item[0]!r} is an array, which only a struct may have")
            of_scalar = None if item[3] is not None else self._names.scalar_of(kind)
            if of_scalar and "required" in item[5]:
                raw.text.refuse(raw.place(item), f"{item[0]!r} is a scalar, which cannot be required")
            yield Field(
                name=item[0],
                slot=slot,
                type=kind if item[3] is None else f"[{kind}]",
                scalar=of_scalar,
                default=self._default(raw, item, kind, of_scalar),
                attributes=self._attributes(raw, item),
                text=raw.text,
                at=raw.place(item),
            )

    def _struct_fields(self, raw: RawDeclaration, offsets: Sequence[int]) -> Iterator[Field]:
        for slot, (item, offset) in enumerate(zip(raw.items, offsets, strict=True)):
            kind = self._names.type_of(raw, item)
            yield Field(
                name=item[0],
                slot=slot,
                type=kind if item[3] is None else f"[{kind}:{integer(raw, item, item[3])}]",
                scalar=None if item[3] is not None else self._names.scalar_of(kind),
                default=None,
                attributes=self._attributes(raw, item),
                text=raw.text,
                at=raw.place(item),
                offset=offset,
            )

    def _attributes(self, raw: RawDeclaration, item: RawItem) -> Mapping[str, Any]:
        found = attributes(item[5], raw, raw.place(item))
        nested = found.get("nested_flatbuffer")
        if nested is None:
            return found
        full = self._names.full(str(nested), raw.namespace)
        if full is None or self._names.form(full) != "table":
            raw.text.refuse(
                raw.place(item), f"nested_flatbuffer names {str(nested)[:_LONGEST]!r}, which is not a table"
            )
        return {**found, "nested_flatbuffer": full}

    def _slots(self, raw: RawDeclaration, kinds: Sequence[str]) -> list[int]:
        """Return the slot of each field of a table."""
        widths = [2 if self._names.form(kind) == "union" else 1 for kind in kinds]
        bare = [item for item in raw.items if "id" not in item[5]]
        if len(bare) == len(raw.items):
            return [end - 1 for end in accumulate(widths)]
        if bare:
            problem = f"{bare[0][0]!r} has no id, but other fields of {raw.name!r} have one"
            raw.text.refuse(raw.place(bare[0]), problem)
        slots = [integer(raw, item, str(item[5]["id"])) for item in raw.items]
        self._check_slots(raw, slots, widths)
        return slots

    def _check_slots(self, raw: RawDeclaration, slots: Sequence[int], widths: Sequence[int]) -> None:
        taken: set[int] = set()
        total = sum(widths)
        for item, slot, width in zip(raw.items, slots, widths, strict=True):
            own = {slot, slot - width + 1}
            if taken & own or min(own) < 0 or slot >= total:
                problem = f"the id {str(slot)[:_LONGEST]} of {item[0]!r} is already used, or leaves a gap"
                raw.text.refuse(
                    raw.place(item),
                    problem,
                    "ids count up from 0 without gaps; a union takes two ids, and states the second",
                )
            taken |= own

    def _default(self, raw: RawDeclaration, item: RawItem, kind: str, of_scalar: str | None) -> Any:
        text = item[4]
        if text is None:
            return None if of_scalar is None else _ZERO.get(of_scalar, 0)
        if text == "null":
            return None
        shown = f"{item[0]!r} has the default value {text[:_LONGEST]}"
        if of_scalar is None:
            if text[0] == '"' and kind == "string" and item[3] is None:
                return unquoted(text)
            if text[0] == "[" and item[3] is not None:
                return ()
            raw.text.refuse(raw.place(item), f"{shown}, which a field of its type cannot have")
        names = self._names.numbers(kind) if self._names.form(kind) == "enum" else None
        try:
            return constants.default(text, of_scalar, names)
        except ValueError as error:
            raw.text.refuse(raw.place(item), f"{shown}: {error}")

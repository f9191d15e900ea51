"""Resolution of a schema: names of types, slots, numbers of enums and unions, default values, layouts.

The rules are the rules of `flatc` (https://flatbuffers.dev/schema): fields without `id` have slots in their order, a
union takes two, and a value of an enum without a number has the number after the previous one. A schema that `flatc`
refuses is an error, with the line.
"""

from __future__ import annotations

from opspec_lint.documents.fbs import attributes
from opspec_lint.documents.fbs.fields import FieldResolver
from opspec_lint.documents.fbs.includes import parse_all
from opspec_lint.documents.fbs.layouts import StructLayouts
from opspec_lint.documents.fbs.names import SchemaNames
from opspec_lint.documents.fbs.numbers import ItemNumbers, refuse_repeated
from opspec_lint.documents.fbs.schema import EnumValue, Schema, SchemaDeclaration, ServiceCall, UnionMember
from opspec_lint.documents.file_context import NO_FILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.documents.fbs.syntax import RawDeclaration, RawFile
    from opspec_lint.documents.file_context import FileContext
    from opspec_lint.spec.model import Origin

_LONGEST = 40
"""Characters of a name in a message."""
_NOT_STATED = None, None
"""The value and the place of what a file does not state."""


def read_schema(data: bytes, path: str, around: FileContext = NO_FILES) -> Schema:
    """Return the schema of a file, including the declarations of its includes.

    Args:
        data: the bytes of the file.
        path: its path in the tree, with slashes.
        around: the files around it, for includes.

    Raises:
        InputError: the file is no schema, or an include is not in the tree; the message names the file and the line.
    """
    files = parse_all(data, path, around)
    if not any(raw.declarations for raw in files.values()):
        files[path].text.refuse(0, "declares no table, struct, enum or union", "expected a FlatBuffers schema")
    names = SchemaNames(files.values())
    # `flatc` checks the root types of included files too, although only that of the schema itself counts.
    roots = {file: _check_roots(names, raw) for file, raw in files.items()}
    own = files[path]
    root, root_origin = roots[path] or _NOT_STATED
    identifier, identifier_origin = _identifier(own) or _NOT_STATED
    extension, extension_origin = _extension(own) or _NOT_STATED
    return Schema(
        declarations=_Resolver(names).declarations(),
        root=root,
        root_origin=root_origin,
        file_identifier=identifier,
        file_identifier_origin=identifier_origin,
        file_extension=extension,
        file_extension_origin=extension_origin,
        files=tuple(files),
    )


def _check_roots(names: SchemaNames, raw: RawFile) -> tuple[str, Origin] | None:
    """Check every root type that a file names; return the full name and the place of the last, which counts."""
    roots = [(names.root(root, raw), _origin(raw, root.at)) for root in raw.roots]
    return roots[-1] if roots else None


def _identifier(raw: RawFile) -> tuple[str, Origin] | None:
    """Return the identifier that a file states, with its place; refuse one of another length than 4 bytes."""
    if raw.file_identifier is None:
        return None
    name, at = raw.file_identifier
    # Counted in bytes, as the identifier takes four bytes at the beginning of a file.
    if len(name.encode("utf-8", "surrogatepass")) != 4:
        raw.text.refuse(at, f"file_identifier must have 4 characters, found {name[:_LONGEST]!r}")
    return name, _origin(raw, at)


def _extension(raw: RawFile) -> tuple[str, Origin] | None:
    """Return the extension that a file states, with its place."""
    if raw.file_extension is None:
        return None
    extension, at = raw.file_extension
    return extension, _origin(raw, at)


def _origin(raw: RawFile, at: int) -> Origin:
    return raw.text.origin(at)


class _Resolver:
    """Resolves the declarations of all files of a schema."""

    def __init__(self, names: SchemaNames) -> None:
        self._names = names
        self._layouts = StructLayouts(names)
        self._numbers = ItemNumbers(names)
        self._fields = FieldResolver(names, self._numbers)

    def declarations(self) -> dict[str, SchemaDeclaration]:
        """Return every declaration by its full name."""
        return {name: self._declaration(name, raw) for name, raw in self._names.raws.items()}

    def _declaration(self, name: str, raw: RawDeclaration) -> SchemaDeclaration:
        """Return a declaration with its names resolved; the method of its form adds what only the form has."""
        return SchemaDeclaration(
            name=name,
            form=raw.form,
            text=raw.text,
            at=raw.at,
            attributes=attributes.values(self._names, raw.attributes, raw, raw.at),
            **getattr(self, f"_{raw.form}")(raw),
        )

    def _table(self, raw: RawDeclaration) -> dict[str, Any]:
        return {"fields": tuple(self._fields.table_fields(raw))}

    def _struct(self, raw: RawDeclaration) -> dict[str, Any]:
        layout = self._layouts.of(raw.full_name)
        fields = tuple(self._fields.struct_fields(raw, layout))
        return {"fields": fields, "size": layout.size, "alignment": layout.alignment}

    def _enum(self, raw: RawDeclaration) -> dict[str, Any]:
        """Return the values of an enum with their numbers, and its scalar type."""
        scalar = self._names.underlying(raw)
        self._check_attributes(raw)
        numbers = self._numbers.enum_numbers(raw.full_name)
        places = [raw.place(item) for item in raw.items] or [raw.at]
        values = tuple(
            EnumValue(name, number, raw.text, at) for at, (name, number) in zip(places, numbers.items(), strict=True)
        )
        return {"values": values, "scalar": scalar}

    def _union(self, raw: RawDeclaration) -> dict[str, Any]:
        scalar = self._names.underlying(raw)
        self._check_attributes(raw)
        return {"members": tuple(self._members(raw)), "scalar": scalar}

    def _members(self, raw: RawDeclaration) -> Iterator[UnionMember]:
        for member in self._numbers.member_numbers(raw):
            kind, place = self._names.type_of(raw, member.item), raw.place(member.item)
            # A string needs a name of its own: `text: string`.
            is_text = kind == "string" and member.item.name != ""
            if not is_text and self._names.form(kind) not in ("table", "struct"):
                raw.text.refuse(place, f"the member {member.name!r} must be a table, a struct or string")
            yield UnionMember(name=member.name, number=member.number, type=kind, text=raw.text, at=place)

    def _check_attributes(self, raw: RawDeclaration) -> None:
        """Check the attributes of an enum or union, and of its values or members."""
        if "force_align" in raw.attributes:
            raw.text.refuse(raw.at, f"the {raw.form} {raw.name!r} cannot have the attribute force_align")
        for item in raw.items:
            if item.attributes:
                attributes.values(self._names, item.attributes, raw, raw.place(item))

    def _rpc_service(self, raw: RawDeclaration) -> dict[str, Any]:
        refuse_repeated(raw)
        return {"calls": tuple(self._calls(raw))}

    def _calls(self, raw: RawDeclaration) -> Iterator[ServiceCall]:
        """Yield the calls of a service; refuse one that does not take a table and return one."""
        if not raw.items:
            raw.text.refuse(raw.at, f"the rpc_service {raw.name!r} has no call")
        for item in raw.items:
            request, response = (self._names.type_of(raw, item, name) for name in (item.type, item.value))
            if self._names.form(request) != "table" or self._names.form(response) != "table":
                raw.text.refuse(raw.place(item), f"the call {item.name!r} must take a table and return one")
            attributes.values(self._names, item.attributes, raw, raw.place(item))
            yield ServiceCall(name=item.name, request=request, response=response, text=raw.text, at=raw.place(item))

"""Conversion of FlatBuffers schemas to specs: a declaration becomes an op, its fields or values become attrs.

The ops of a schema form an `OpTable` that is built lazily. What a schema states outside of its declarations, such as
the root table, becomes a field of the op with its own place.
"""

from __future__ import annotations

from collections.abc import Mapping

from opspec_lint.spec.model import Attr, Op, Provenance, Spec
from opspec_lint.spec.op_table import OpTable
from opspec_lint.spec.slots import BY_SLOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from opspec_lint.documents.fbs.schema import (
        EnumValue,
        Schema,
        SchemaDeclaration,
        SchemaField,
        ServiceCall,
        UnionMember,
    )
    from opspec_lint.spec.model import Origin

_PLAIN: Mapping[str, Any] = {
    "required": False,
    "deprecated": False,
    "key": False,
    "nested_flatbuffer": None,
    "flexbuffer": False,
    "hash": None,
    "width": None,
    "force_align": None,
}
"""The attributes of a value, member, call, or field without attributes."""
_WIDTHS = ("vector64", "offset64")


def spec_of(schema: Schema, file: str, framework: str, made_by: str | None = None) -> Spec:
    """Return the spec of a schema.

    Args:
        schema: the schema.
        file: the name that the user gave for it.
        framework: the framework of the spec.
        made_by: the way in which it was made.
    """
    return Spec(
        file=file,
        provenance=Provenance(framework=framework, made_by=made_by),
        ops=ops_of(schema),
        binding=BY_SLOT,
        field_origins=origins_of(schema),
    )


def ops_of(schema: Schema) -> Mapping[str, Op]:
    """Return the declarations of a schema as ops, by their full names; each op is built on first access."""
    declarations = schema.declarations
    begins = {} if schema.root is None else {schema.root: (schema.file_identifier, schema.file_extension)}
    records = {name: (_content(declaration), begins.get(name)) for name, declaration in declarations.items()}

    def build(name: str, record: Any) -> Op:
        _, begin = record
        return op_of(declarations[name], begin)

    return OpTable(records, build, _numbers, __name__, located=True)


def origins_of(schema: Schema) -> dict[str, Origin]:
    """Return the places of the fields of ops that a schema states outside of their declarations."""
    places = {
        "root": schema.root_origin,
        "file_identifier": schema.file_identifier_origin,
        "file_extension": schema.file_extension_origin,
    }
    return {field: origin for field, origin in places.items() if origin is not None}


def op_of(declaration: SchemaDeclaration, begin: tuple[str | None, str | None] | None = None) -> Op:
    """Return a declaration as an op.

    Args:
        declaration: the declaration.
        begin: the identifier and the extension of files with this root type, None if it is no root type.
    """
    identifier, extension = begin or (None, None)
    return Op(
        name=declaration.name,
        attrs=attrs_of(declaration),
        origin=declaration.origin,
        own={
            "form": declaration.form,
            "underlying": declaration.scalar,
            "bit_flags": declaration.is_bit_flags,
            "size": declaration.size,
            "alignment": declaration.alignment,
            "root": begin is not None,
            "file_identifier": identifier,
            "file_extension": extension,
        },
    )


def attrs_of(declaration: SchemaDeclaration) -> tuple[Attr, ...]:
    """Return the items of a declaration as attrs: in order of their slots, calls in order of their names."""
    if declaration.form == "enum":
        scalar = declaration.scalar or ""
        return tuple(_bare_attr(value, scalar, value.number) for value in declaration.values)
    if declaration.form == "union":
        return tuple(_bare_attr(member, member.type, member.number) for member in declaration.members)
    if declaration.form == "rpc_service":
        # A call has no number (`spec/slot_faults.py`): its place in the schema is no part of the contract.
        calls = sorted(declaration.calls, key=_name)
        return tuple(_bare_attr(call, f"{call.request} -> {call.response}", None) for call in calls)
    place: Callable[[SchemaField], int] = _offset if declaration.form == "struct" else _slot
    return tuple(_attr(field, place(field)) for field in sorted(declaration.fields, key=place))


def _name(placed: ServiceCall) -> str:
    return placed.name


def _slot(field: SchemaField) -> int:
    return field.slot


def _offset(field: SchemaField) -> int:
    return field.offset or 0


def _bare_attr(placed: ServiceCall | UnionMember | EnumValue, kind: str, number: int | None) -> Attr:
    return Attr(name=placed.name, type=kind, default_value=None, origin=placed.origin, own=_NumberOnly(number))


class _NumberOnly(Mapping[str, object]):
    """The attributes of an item without any: its number, and the default values of all others.

    It takes a tenth of the memory of a dict, since a schema may have hundreds of thousands of values and fields.
    """

    __slots__ = ("_number",)

    def __init__(self, number: int | None) -> None:
        self._number = number

    def __getitem__(self, field: str) -> Any:
        return self._number if field == "slot" else _PLAIN[field]

    def get(self, field: str, default: Any = None) -> Any:
        """Return the value of a field; the inherited method is slower, as it catches an exception."""
        return self._number if field == "slot" else _PLAIN.get(field, default)

    def __iter__(self) -> Iterator[str]:
        yield "slot"
        yield from _PLAIN

    def __len__(self) -> int:
        return 1 + len(_PLAIN)


def _attr(field: SchemaField, slot: int) -> Attr:
    own = _NumberOnly(slot) if not field.attributes else _own(field, slot)
    return Attr(name=field.name, type=field.type, default_value=field.default, origin=field.origin, own=own)


def _own(field: SchemaField, slot: int) -> dict[str, Any]:
    """Return the properties of a field that only FlatBuffers has."""
    given = field.attributes
    return {
        "slot": slot,
        "required": field.is_required,
        "deprecated": field.is_deprecated,
        "key": field.is_key,
        "nested_flatbuffer": given.get("nested_flatbuffer"),
        "flexbuffer": "flexbuffer" in given,
        "hash": given.get("hash"),
        "width": next((name for name in _WIDTHS if name in given), None),
        "force_align": given.get("force_align"),
    }


def _content(declaration: SchemaDeclaration) -> tuple[Any, ...]:
    """Return the content of a declaration without its lines, for comparisons; the fields are first."""
    return (
        declaration.fields,
        declaration.form,
        declaration.scalar,
        declaration.attributes,
        declaration.size,
        declaration.alignment,
        [(value.name, value.number) for value in declaration.values],
        [(member.name, member.number, member.type) for member in declaration.members],
        [(call.name, call.request, call.response) for call in declaration.calls],
    )


def _numbers(record: Any) -> list[Any]:
    """Return the values of a record that may be numbers of either kind."""
    # Only the default of a field may be a float or a bool: all other numbers of a declaration are integers.
    (fields, *_), _ = record
    return [field.default for field in fields]

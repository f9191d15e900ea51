"""A schema as ops: each table, struct, enum and union is one, and its fields, values and members are attrs."""

from __future__ import annotations

from opspec_lint.spec.model import Attr, Op, Provenance, Spec
from opspec_lint.spec.op_table import OpTable
from opspec_lint.spec.slots import BY_SLOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from opspec_lint.documents.fbs.schema import Declaration, Field, Schema
    from opspec_lint.spec.model import Origin

_PLAIN: Mapping[str, Any] = {
    "required": False,
    "deprecated": False,
    "key": False,
    "nested_flatbuffer": None,
    "force_align": None,
}
"""What an enum's value or a union's member says of itself."""


def spec_of(schema: Schema, file: str, framework: str, made_by: str | None = None) -> Spec:
    """Return the spec of a schema.

    Args:
        schema: the schema.
        file: what the user called it.
        framework: whose spec it is to be.
        made_by: how it was made.
    """
    return Spec(
        file=file,
        provenance=Provenance(framework=framework, made_by=made_by),
        ops=ops_of(schema),
        binding=BY_SLOT,
        field_origins=origins_of(schema),
    )


def ops_of(schema: Schema) -> Mapping[str, Op]:
    """Return the declarations of a schema as ops, by their full names; each is built when somebody looks at it."""
    declarations = schema.declarations
    roots = {} if schema.root is None else {schema.root: schema.file_identifier}
    records = {name: (_says(each), name in roots, roots.get(name)) for name, each in declarations.items()}

    def build(name: str, record: Any) -> Op:
        _, is_root, identifier = record
        return op_of(declarations[name], is_root=is_root, file_identifier=identifier)

    return OpTable(records, build, _numbers, __name__, located=True)


def origins_of(schema: Schema) -> dict[str, Origin]:
    """Return where a schema says what is a field of an op and is not declared with it."""
    places = {"root": schema.root_origin, "file_identifier": schema.file_identifier_origin}
    return {field: origin for field, origin in places.items() if origin is not None}


def op_of(declaration: Declaration, *, is_root: bool = False, file_identifier: str | None = None) -> Op:
    """Return a declaration as an op."""
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
            "root": is_root,
            "file_identifier": file_identifier,
        },
    )


def attrs_of(declaration: Declaration) -> tuple[Attr, ...]:
    """Return what a declaration declares as attrs, in order of their slots."""
    if declaration.form == "enum":
        scalar = declaration.scalar or ""
        return tuple(_numbered(each.name, scalar, each.number, each.origin) for each in declaration.values)
    if declaration.form == "union":
        return tuple(_numbered(each.name, each.type, each.number, each.origin) for each in declaration.members)
    place: Callable[[Field], int] = _offset if declaration.form == "struct" else _slot
    return tuple(_attr(each, place(each)) for each in sorted(declaration.fields, key=place))


def _slot(field: Field) -> int:
    return field.slot


def _offset(field: Field) -> int:
    return field.offset or 0


def _numbered(name: str, kind: str, number: int, origin: Origin) -> Attr:
    return Attr(name=name, type=kind, default_value=None, origin=origin, own={"slot": number, **_PLAIN})


def _attr(field: Field, slot: int) -> Attr:
    own = {
        "slot": slot,
        "required": field.is_required,
        "deprecated": field.is_deprecated,
        "key": field.is_key,
        "nested_flatbuffer": field.attributes.get("nested_flatbuffer"),
        "force_align": field.attributes.get("force_align"),
    }
    return Attr(name=field.name, type=field.type, default_value=field.default, origin=field.origin, own=own)


def _says(declaration: Declaration) -> tuple[Any, ...]:
    """Return all that a declaration says but its lines, to tell whether two say the same."""
    return (
        declaration.form,
        declaration.scalar,
        declaration.attributes,
        declaration.size,
        declaration.alignment,
        [(each.name, each.slot, each.type, each.default, each.attributes, each.offset) for each in declaration.fields],
        [(each.name, each.number) for each in declaration.values],
        [(each.name, each.number, each.type) for each in declaration.members],
    )


def _numbers(record: Any) -> list[Any]:
    """Return what of a record may be a number of either kind."""
    return [each[3] for each in record[0][5]]

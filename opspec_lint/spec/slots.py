"""The fields of ops and attrs that come from a FlatBuffers schema.

A table, struct, enum, union or rpc_service is an op, and its fields, values, members or calls are attrs. A serialized
model has the numbers of these attrs (their slots), not their names. Frameworks whose specs contain such declarations
include these fields in their own.
"""

from __future__ import annotations

from opspec_lint.spec.fields import Field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fields import Section

BY_SLOT = "slot"
"""The binding of declarations that bytes bind by number."""

SCALARS: Mapping[str, int] = {
    "bool": 1,
    "byte": 1,
    "ubyte": 1,
    "short": 2,
    "ushort": 2,
    "int": 4,
    "uint": 4,
    "float": 4,
    "long": 8,
    "ulong": 8,
    "double": 8,
}
"""The scalar types, with their sizes in bytes."""

FLOATS = frozenset({"float", "double"})


def range_of(scalar: str) -> tuple[int, int]:
    """Return the least and the greatest value of an integer type."""
    if scalar == "bool":
        return 0, 1
    bits = 8 * SCALARS[scalar]
    return (0, (1 << bits) - 1) if scalar.startswith("u") else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


_NAME_SCHEMA: Mapping[str, object] = {"type": ["string", "null"], "minLength": 1}

SLOT_SHARED: Mapping[Section, tuple[str, ...]] = {"attrs": ("type", "default_value")}
"""The common fields that these declarations have."""
SLOT_FIELDS = (
    Field(
        name="form",
        sections=("ops",),
        form="name",
        events=("declaration_form_changed",),
        schema={"enum": ["table", "struct", "enum", "union", "rpc_service", None]},
        about="The kind of declaration: table, struct, enum, union or rpc_service; null for an op of a framework.",
    ),
    Field(
        name="underlying",
        sections=("ops",),
        form="name",
        events=("underlying_type_changed",),
        schema={"enum": [*SCALARS, None]},
        about="The scalar type of an enum's values, or of a union's type.",
    ),
    Field(
        name="bit_flags",
        sections=("ops",),
        form="flag",
        default=False,
        events=("bit_flags_set", "bit_flags_cleared"),
        is_shown=False,
        about="Whether the values of an enum are bit positions.",
    ),
    Field(
        name="size",
        sections=("ops",),
        form="integer",
        events=("struct_layout_changed",),
        about="The size of a struct in bytes.",
    ),
    Field(
        name="alignment",
        sections=("ops",),
        form="integer",
        events=("struct_layout_changed",),
        about="The alignment of a struct in bytes.",
    ),
    Field(
        name="root",
        sections=("ops",),
        form="flag",
        default=False,
        events=("root_set", "root_cleared"),
        is_shown=False,
        about="Whether it is the root table of files.",
    ),
    Field(
        name="file_identifier",
        sections=("ops",),
        form="name",
        events=("file_identifier_changed",),
        schema=_NAME_SCHEMA,
        about="The four characters that a file of this root table carries.",
    ),
    Field(
        name="file_extension",
        sections=("ops",),
        form="name",
        events=("file_extension_changed",),
        schema=_NAME_SCHEMA,
        about="The extension of files of this root table.",
    ),
    Field(
        name="slot",
        sections=("attrs",),
        form="integer",
        events=("slot_reassigned",),
        after="type",
        about="The vtable slot of a table's field, the offset of a struct's field, or the number of an enum's value.",
    ),
    Field(
        name="required",
        sections=("attrs",),
        form="flag",
        default=False,
        events=("slot_required_set", "slot_required_cleared"),
        is_shown=False,
        about="Whether the verifier refuses a table without it.",
    ),
    Field(
        name="deprecated",
        sections=("attrs",),
        form="flag",
        default=False,
        events=("slot_deprecated", "slot_restored"),
        is_shown=False,
        about="Whether the field is deprecated: generated code neither writes nor reads it.",
    ),
    Field(
        name="key",
        sections=("attrs",),
        form="flag",
        default=False,
        events=("slot_key_set", "slot_key_cleared"),
        is_shown=False,
        about="Whether vectors of the table are sorted by it.",
    ),
    Field(
        name="nested_flatbuffer",
        sections=("attrs",),
        form="name",
        events=("slot_nested_changed",),
        schema=_NAME_SCHEMA,
        about="The root table of the FlatBuffer that the bytes hold.",
    ),
    Field(
        name="flexbuffer",
        sections=("attrs",),
        form="flag",
        default=False,
        events=("slot_nested_changed",),
        is_shown=False,
        about="Whether the bytes hold a FlexBuffer, which has no schema.",
    ),
    Field(
        name="hash",
        sections=("attrs",),
        form="name",
        events=("slot_hash_changed",),
        schema=_NAME_SCHEMA,
        about="The hash that a text in JSON is stored as.",
    ),
    Field(
        name="width",
        sections=("attrs",),
        form="name",
        events=("slot_width_changed",),
        schema={"enum": ["offset64", "vector64", None]},
        about="What of a string or vector takes 8 bytes and not 4: offset64, or vector64 (its offset and its length).",
    ),
    Field(
        name="force_align",
        sections=("attrs",),
        form="integer",
        events=("slot_alignment_raised",),
        about="The alignment of a vector's items in bytes.",
    ),
)
"""The fields of declarations, and of their fields, values, members and calls."""

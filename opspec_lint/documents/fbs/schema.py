"""A FlatBuffers schema as it is after names, slots, numbers and default values are resolved.

Types are spelt in one way: `int` and not `int32`, a declared type by its full name (`tflite.Tensor`), a vector in
brackets (`[ubyte]`), an array of a struct with its length (`[int:4]`).
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final, Literal, TypeAlias

    from opspec_lint.documents.fbs.text import Text
    from opspec_lint.spec.model import Origin

    Form: TypeAlias = Literal["table", "struct", "enum", "union", "rpc_service"]

SYNONYMS: Final = {
    "int8": "byte",
    "uint8": "ubyte",
    "int16": "short",
    "uint16": "ushort",
    "int32": "int",
    "uint32": "uint",
    "float32": "float",
    "int64": "long",
    "uint64": "ulong",
    "float64": "double",
}
"""Other names of scalar types."""


class NamedPart(Record):
    """A named part of a schema. `at` is its offset in the text; its line is counted only when it is needed."""

    name: str
    text: Text
    at: int

    @property
    def origin(self) -> Origin:
        """The place of the declaration."""
        return self.text.origin(self.at)


class SchemaField:
    """A field of a table or struct. It is no `Record`, since a schema may have hundreds of thousands.

    `slot` is the index in the vtable. A union field has two: its type is at `slot - 1`, its value at `slot`. In a
    struct it is the index of the field. `type` has the spelling that the module describes, and `scalar` is the type
    of the bytes of a scalar or of an enum ("ubyte"), None for other types.

    `default` is the value if a file lacks the field: a number, true or false for a scalar, None for a scalar
    that is null and for other types without a default. `attributes` holds all attributes, a flag as True. A field
    of a struct has an `offset` in bytes.
    """

    __slots__ = ("at", "attributes", "default", "name", "offset", "scalar", "slot", "text", "type")

    def __init__(  # noqa: PLR0913 - a field is its facts
        self,
        *,
        name: str,
        slot: int,
        type: str,  # noqa: A002 - as the property of every item is called
        scalar: str | None,
        default: Any,
        attributes: Mapping[str, Any],
        text: Text,
        at: int,
        offset: int | None = None,
    ) -> None:
        self.name, self.slot, self.type, self.scalar = name, slot, type, scalar
        self.default, self.attributes, self.text, self.at, self.offset = default, attributes, text, at, offset

    def __eq__(self, other: object) -> bool:
        """Return whether two fields have the same declaration, at any place; `scalar` follows from `type`."""
        return isinstance(other, SchemaField) and self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]

    def _facts(self) -> tuple[Any, ...]:
        return self.name, self.slot, self.type, self.default, self.attributes, self.offset

    @property
    def origin(self) -> Origin:
        """The place of the declaration."""
        return self.text.origin(self.at)

    @property
    def is_deprecated(self) -> bool:
        """True if readers have no accessor for it."""
        return "deprecated" in self.attributes

    @property
    def is_required(self) -> bool:
        """True if the verifier refuses a table without it: also for a string that is the key."""
        return "required" in self.attributes or (self.is_key and self.type == "string")

    @property
    def is_key(self) -> bool:
        """True if vectors of the table are sorted by it."""
        return "key" in self.attributes


class EnumValue:
    """A value of an enum: `number` is its value in the bytes, for bit flags with the bit set.

    It is no `Record`, since an enum may have hundreds of thousands of values.
    """

    __slots__ = ("at", "name", "number", "text")

    def __init__(self, name: str, number: int, text: Text, at: int) -> None:
        self.name, self.number, self.text, self.at = name, number, text, at

    @property
    def origin(self) -> Origin:
        """The place of the declaration."""
        return self.text.origin(self.at)


class UnionMember(NamedPart):
    """A member of a union: `number` identifies it in the bytes, `type` is a table, a struct or `string`."""

    number: int
    type: str


class ServiceCall(NamedPart):
    """A call of an rpc_service: the tables that it takes and returns."""

    request: str
    response: str


class SchemaDeclaration(NamedPart):
    """A `table`, `struct`, `enum`, `union` or `rpc_service`.

    `name` is the full name. `scalar` is the underlying type of an enum or of the type of a union. `size` and
    `alignment`, in bytes, belong to a struct. `attributes` are its own, such as `bit_flags` and `force_align`.
    """

    form: Form
    attributes: Mapping[str, Any] = {}
    fields: tuple[SchemaField, ...] = ()
    values: tuple[EnumValue, ...] = ()
    members: tuple[UnionMember, ...] = ()
    calls: tuple[ServiceCall, ...] = ()
    scalar: str | None = None
    size: int | None = None
    alignment: int | None = None

    @property
    def is_bit_flags(self) -> bool:
        """True if each value of the enum is a bit."""
        return "bit_flags" in self.attributes


class Schema(Record):
    """A schema with all that it includes.

    `declarations` are by full name, in the order of the text, included files first. `root` is the full name of
    the root type, None if the schema's own file names none: like `flatc`, which ignores `root_type` in included files.
    `files` are the paths of all its files, its own last.
    """

    declarations: Mapping[str, SchemaDeclaration]
    root: str | None = None
    root_origin: Origin | None = None
    file_identifier: str | None = None
    file_identifier_origin: Origin | None = None
    file_extension: str | None = None
    file_extension_origin: Origin | None = None
    files: tuple[str, ...] = ()


def element_type(kind: str) -> str:
    """Return the element type of a vector or array, such as `[tflite.Tensor]` or `[int:4]`; else the type itself."""
    return kind[1:-1].partition(":")[0] if kind.startswith("[") else kind

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


class Placed(Record):
    """What stands in a schema: `at` is its place in the text. Its line is counted when somebody asks."""

    name: str
    text: Text
    at: int

    @property
    def origin(self) -> Origin:
        """Where it is declared."""
        return self.text.origin(self.at)


class Field:
    """A field of a table or struct. It is placed, and no `Record`, since a schema may have hundreds of thousands.

    `slot` is its place in the vtable, counted from 0; that of a union field is the slot of its value, and its type is
    one before. In a struct it is its place. `type` is spelt as the module says, and `scalar` is what the bytes are of a
    scalar or of an enum ("ubyte"), None of anything else.

    `default` is the value that a file without the field has: a number, true or false for a scalar, None for a scalar
    that is null and for everything else that declares none. `attributes` holds all attributes, a flag as True. A field
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
        """Tell whether two fields are declared in the same way, wherever that is."""
        return isinstance(other, Field) and self._says() == other._says()

    __hash__ = None  # type: ignore[assignment]

    def _says(self) -> tuple[Any, ...]:
        return self.name, self.slot, self.type, self.default, self.attributes, self.offset

    @property
    def origin(self) -> Origin:
        """Where it is declared."""
        return self.text.origin(self.at)

    @property
    def is_deprecated(self) -> bool:
        """Whether readers have no accessor of it."""
        return "deprecated" in self.attributes

    @property
    def is_required(self) -> bool:
        """Whether the verifier refuses a table without it: also a string that is the key."""
        return "required" in self.attributes or (self.is_key and self.type == "string")

    @property
    def is_key(self) -> bool:
        """Whether vectors of the table are sorted by it."""
        return "key" in self.attributes


class Value:
    """A value of an enum: `number` is what stands in the bytes, of bit flags with the bit set.

    It is placed, and no `Record`, since an enum may have hundreds of thousands of values.
    """

    __slots__ = ("at", "name", "number", "text")

    def __init__(self, name: str, number: int, text: Text, at: int) -> None:
        self.name, self.number, self.text, self.at = name, number, text, at

    @property
    def origin(self) -> Origin:
        """Where it is declared."""
        return self.text.origin(self.at)


class Member(Placed):
    """A member of a union: `number` says in the bytes which it is, `type` is a table, a struct or `string`."""

    number: int
    type: str


class Call(Placed):
    """A call of an rpc_service: the tables that it takes and returns."""

    request: str
    response: str


class Declaration(Placed):
    """What one `table`, `struct`, `enum`, `union` or `rpc_service` declares.

    `name` is the full name. `scalar` is the underlying type of an enum and of the type of a union. `size` and
    `alignment` are those of a struct, in bytes. `attributes` are its own, such as `bit_flags` and `force_align`.
    """

    form: Form
    attributes: Mapping[str, Any] = {}
    fields: tuple[Field, ...] = ()
    values: tuple[Value, ...] = ()
    members: tuple[Member, ...] = ()
    calls: tuple[Call, ...] = ()
    scalar: str | None = None
    size: int | None = None
    alignment: int | None = None

    @property
    def is_bit_flags(self) -> bool:
        """Whether each value of the enum is a bit."""
        return "bit_flags" in self.attributes


class Schema(Record):
    """A schema with all that it includes.

    `declarations` are by full name, in the order of the text, those of included files first. `root` is the full name of
    the root type, None where the schema's own file names none: how files begin is not included, as with `flatc`.
    `files` are the paths of all files that it is made of, its own last.
    """

    declarations: Mapping[str, Declaration]
    root: str | None = None
    root_origin: Origin | None = None
    file_identifier: str | None = None
    file_identifier_origin: Origin | None = None
    file_extension: str | None = None
    file_extension_origin: Origin | None = None
    files: tuple[str, ...] = ()


def element(kind: str) -> str:
    """Return the type of what a type consists of: of `[tflite.Tensor]` and of `[int:4]` that of an element."""
    return kind[1:-1].partition(":")[0] if kind.startswith("[") else kind

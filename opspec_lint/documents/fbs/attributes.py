"""The attributes of a schema: their values, and where `flatc` accepts which (https://flatbuffers.dev/schema)."""

from __future__ import annotations

from opspec_lint.documents.fbs import constants
from opspec_lint.documents.fbs.strings import is_string, remove_quotes
from opspec_lint.spec.slots import range_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.documents.fbs.names import SchemaNames
    from opspec_lint.documents.fbs.syntax import Attributes, RawDeclaration, RawItem

    _Allowed: TypeAlias = tuple[Callable[["FieldType", Mapping[str, Any]], bool], str]

_OWN = frozenset(
    {
        *("bit_flags", "csharp_partial", "deprecated", "flexbuffer", "force_align", "hash", "id", "idempotent", "key"),
        *("nested_flatbuffer", "offset64", "original_order", "private", "required", "shared", "streaming", "vector64"),
        *("cpp_ptr_type", "cpp_ptr_type_get", "cpp_str_flex_ctor", "cpp_str_type", "cpp_type"),
        *("native_custom_alloc", "native_default", "native_inline", "native_type", "native_type_pack_name"),
    }
)
"""The attributes that a schema need not declare."""
_ALIGNMENTS = (1, 2, 4, 8, 16, 32)
_LONGEST = 40
"""Characters of a value in a message."""
_NONE: Mapping[str, Any] = {}
_BITS = {"short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
"""The types that take a hash, with its width in bits."""


def values(names: SchemaNames, written: Attributes, raw: RawDeclaration, at: int) -> Mapping[str, Any]:
    """Return attributes with their values: a number, a text without quotes, True for a flag.

    Args:
        names: the names of the schema.
        written: the attributes as they are written.
        raw: the declaration that contains them.
        at: the place of the declaration or item that has them.

    Raises:
        InputError: an attribute is not declared, or its value is neither a number nor a string.
    """
    if not written:
        return _NONE
    result: dict[str, Any] = {}
    for name, text in written.items():
        if name not in _OWN and not names.knows_attribute(name, raw):
            problem = f"the attribute {name!r} is not declared above"
            raw.text.refuse(at, problem, f'write `attribute "{name}";` above {raw.name!r}')
        result[name] = text if isinstance(text, bool) else _value(name, text, raw, at)
    return result


def _value(name: str, text: str, raw: RawDeclaration, at: int) -> int | str:
    """Return the value of an attribute; refuse a text that is neither an int nor a string."""
    try:
        if is_string(text):
            return remove_quotes(text)
        number = constants.integer(text)
    except ValueError:
        return raw.text.refuse(at, f"the attribute {name!r} must be an integer or a string, found {text[:_LONGEST]}")
    least, greatest = range_of("int")
    if not least <= number <= greatest:
        raw.text.refuse(at, f"the attribute {name!r} must be an int, found {text[:_LONGEST]}")
    return number


def alignment(given: Mapping[str, Any], raw: RawDeclaration, least: int) -> int:
    """Return the alignment that a struct asks for.

    Args:
        given: its attributes.
        raw: the struct.
        least: the alignment of its fields.

    Raises:
        InputError: the number is no alignment.
    """
    value = given.get("force_align", least)
    try:
        number = constants.integer(str(value))
    except ValueError:
        number = 0
    if number not in _ALIGNMENTS or number < least:
        shown = str(value)[:_LONGEST]
        problem = f"force_align must be a power of two from {least} to {max(_ALIGNMENTS)}, found {shown}"
        raw.text.refuse(raw.at, problem)
    return number


class FieldType:
    """The properties of a field's type that its attributes depend on.

    Args:
        names: the names of the schema.
        raw: the table or struct.
        item: the field.
    """

    def __init__(self, names: SchemaNames, raw: RawDeclaration, item: RawItem) -> None:
        kind = names.type_of(raw, item)
        self.is_in_struct = raw.form == "struct"
        self.is_vector, self.is_array = item.length == "", bool(item.length)
        self.item_form, self.item_scalar = names.form(kind), names.scalar_of(kind)
        self.is_single = not self.is_vector and not self.is_array
        self.is_scalar = self.is_single and self.item_scalar is not None
        self.is_string = self.is_single and kind == "string"

    @property
    def is_of_bytes(self) -> bool:
        """True for a vector of ubyte."""
        return self.is_vector and self.item_scalar == "ubyte"

    @property
    def is_fixed(self) -> bool:
        """True if every item has the same size: a number, an enum or a struct."""
        return self.item_form == "struct" or self.item_scalar is not None


def check_field(raw: RawDeclaration, item: RawItem, given: Mapping[str, Any], kind: FieldType) -> None:
    """Raise an error unless a field may have its attributes.

    Args:
        raw: the table or struct.
        item: the field.
        given: the attributes of the field.
        kind: its type.

    Raises:
        InputError: `flatc` refuses an attribute of the field.
    """
    for name in given:
        is_allowed, what = _ALLOWED.get(name, _ANYWHERE)
        if not is_allowed(kind, given):
            raw.text.refuse(raw.place(item), f"{item.name!r} cannot have the attribute {name}, which is for {what}")


def _fits_hash(kind: FieldType, given: Mapping[str, Any]) -> bool:
    """Return whether the function that `hash` names makes numbers of the field's width."""
    bits = None if kind.is_array else _BITS.get(kind.item_scalar or "")
    return given["hash"] in (f"fnv1_{bits}", f"fnv1a_{bits}")


def _can_use_wide_offset(kind: FieldType, given: Mapping[str, Any]) -> bool:
    """Return whether the field may be stored behind an offset of 64 bits."""
    if kind.is_string:
        return "vector64" not in given
    return kind.is_vector and kind.is_fixed and kind.item_form != "enum"


_BYTES = "a vector of ubyte"
_WIDE = "a vector of numbers or structs"
_ANYWHERE: _Allowed = (lambda *_: True, "")
_ALLOWED: Mapping[str, _Allowed] = {
    "cpp_type": (lambda _, given: "hash" in given, "a field with a hash"),
    "deprecated": (lambda kind, _: not kind.is_in_struct, "the fields of tables"),
    "flexbuffer": (
        lambda kind, given: kind.is_of_bytes and "vector64" not in given,
        _BYTES,
    ),
    "hash": (_fits_hash, "integers of 16 bits and more: fnv1_16, fnv1a_16, and with 32 and 64"),
    "key": (
        lambda kind, _: kind.is_string or (not kind.is_vector and kind.is_fixed),
        "a string, a number, a struct or an array of these",
    ),
    "native_custom_alloc": (lambda *_: False, "tables and structs"),
    "native_inline": (
        lambda kind, _: (
            (kind.is_single and kind.item_form == "struct")
            or (kind.is_vector and kind.item_form in ("struct", "table"))
        ),
        "a struct, and a vector of structs or tables",
    ),
    "nested_flatbuffer": (
        lambda kind, given: kind.is_of_bytes and isinstance(given["nested_flatbuffer"], str),
        f"{_BYTES}, and names a table in quotes",
    ),
    "offset64": (_can_use_wide_offset, f"a string, and {_WIDE}"),
    "required": (
        lambda kind, _: not kind.is_in_struct and not kind.is_scalar,
        "the fields of tables that are no scalar",
    ),
    "shared": (lambda kind, _: kind.is_string, "strings"),
    "vector64": (_can_use_wide_offset, _WIDE),
}
"""The fields that may have an attribute: a predicate of the field and its attributes, and a phrase for messages."""

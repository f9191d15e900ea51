"""Conversion of any message of `opdef.proto` to a dictionary of its set fields, and back.

An enum is its name, or its number if it has none; a float the shortest number with the same 32 bits; bytes are text if
they are UTF-8, otherwise `{"bytes": base64}`; a map is a list of keys and values.
"""

from __future__ import annotations

import base64

from opspec_lint.frameworks.tensorflow.extract.messages import enum_names
from opspec_lint.kit.float32 import shortest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FLOAT, _BYTES, _MESSAGE, _ENUM = 2, 12, 11, 14
"""Codes of FieldDescriptor.type."""


def set_fields(message: Any) -> dict[str, Any]:
    """Return the set fields of a message as plain values, by name."""
    return {field.name: _plain_field(field, value) for field, value in message.ListFields()}


def fill(message: Any, fields: dict[str, Any]) -> None:
    """Fill an empty message with the result of `set_fields`; raises ValueError for unknown fields or wrong values."""
    for name, value in fields.items():
        field = message.DESCRIPTOR.fields_by_name.get(name)
        if field is None:
            raise ValueError(f"{message.DESCRIPTOR.name} has no field {name!r}")
        try:
            _fill_field(message, field, value)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"{message.DESCRIPTOR.name}.{name} cannot hold {value!r}: {error}") from None


def text(data: bytes) -> str | dict[str, str]:
    """Return bytes as text if they are UTF-8, otherwise as {"bytes": base64}."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"bytes": base64.b64encode(data).decode()}


def content(value: str | dict[str, str]) -> bytes:
    """Return the bytes for a result of `text`; raises ValueError for any other value."""
    if isinstance(value, str):
        return value.encode()
    if not isinstance(value, dict) or value.keys() != {"bytes"}:
        raise ValueError(f"expected text or bytes, found {value!r}")
    return base64.b64decode(value["bytes"], validate=True)


def name_of(enum: str, number: int) -> str | int:
    """Return the name of a value of an enum, or its number if it has no name."""
    return enum_names(enum).get(number, number)


def number_of(enum: str, name: str | int) -> int:
    """Return the number of a value of an enum by its name or number; raises ValueError for an unknown name."""
    if isinstance(name, int):
        return name
    for number, known in enum_names(enum).items():
        if known == name:
            return number
    raise ValueError(f"{enum} has no value {name!r}")


def _plain_field(field: Any, value: Any) -> Any:
    """Return the value of a field as plain values: a map, a list or a single value."""
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return [{"key": key, "value": set_fields(value[key])} for key in sorted(value)]
    if is_repeated(field):
        return [_plain_value(field, item) for item in value]
    return _plain_value(field, value)


def _plain_value(field: Any, value: Any) -> Any:
    """Return a single value, or an item of a list, as a plain value."""
    if field.type == _MESSAGE:
        return set_fields(value)
    if field.type == _ENUM:
        return name_of(field.enum_type.name, value)
    if field.type == _BYTES:
        return text(value)
    return shortest(value) if field.type == _FLOAT else value


def _fill_field(message: Any, field: Any, value: Any) -> None:
    """Set a field of a message to a plain value."""
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        for entry in value:
            fill(getattr(message, field.name)[entry["key"]], entry["value"])
    elif field.type == _MESSAGE and is_repeated(field):
        for item in value:
            fill(getattr(message, field.name).add(), item)
    elif field.type == _MESSAGE:
        part = getattr(message, field.name)
        part.SetInParent()
        fill(part, value)
    elif is_repeated(field):
        getattr(message, field.name).extend([_scalar(field, item) for item in value])
    else:
        setattr(message, field.name, _scalar(field, value))


def _scalar(field: Any, value: Any) -> Any:
    if field.type == _ENUM:
        return number_of(field.enum_type.name, value)
    return content(value) if field.type == _BYTES else value


def is_repeated(field: Any) -> bool:
    """Return whether a field is repeated, with the API of old and new versions of protobuf."""
    return bool(field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED)

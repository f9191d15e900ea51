"""The values of attrs: an AttrValue message and the type that the attr declares, and the value that the model holds.

    string "SAME" (or {"bytes": base64})   int 1   float 0.1   bool true   type "float"   list(...) a list of these
    shape [2, -1] ("unknown" where not even the rank is known)   tensor {"tensor": {...}}   func {"name": ...}

What does not fit the declared type, and what these forms have no room for, is {"attr_value": {...}}, with the fields of
the message: an OpDef that TensorFlow would refuse can be read, and judged.
"""

from __future__ import annotations

from opspec_lint import values
from opspec_lint.tensorflow.messages import data_type, data_type_number
from opspec_lint.tensorflow.plainmessages import fill, octets, plain, shortest, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UNKNOWN_RANK = "unknown"
RAW = "attr_value"
_FIELDS = {
    "string": "s",
    "int": "i",
    "float": "f",
    "bool": "b",
    "type": "type",
    "shape": "shape",
    "tensor": "tensor",
    "func": "func",
}
"""The field of an AttrValue, and of its lists, that holds a value of each type."""


def read(message: Any, kind: str) -> Any:
    """Return the model's value of an AttrValue that an attr of type `kind` holds."""
    is_list = kind.startswith("list(") and kind.endswith(")")
    element = kind[5:-1] if is_list else kind
    field = _FIELDS.get(element)
    which = message.WhichOneof("value")
    if field is None or which != ("list" if is_list else field):
        return _raw(message)
    if not is_list:
        value = _read_one(getattr(message, field), element)
        if kind == "tensor":
            value = {values.TENSOR: value}  # in a list TensorFlow compares the bytes, and not the elements
        return _raw(message) if value is None else values.freeze(value)
    if any(other.name != field for other, _ in message.list.ListFields()):
        return _raw(message)
    items = [_read_one(item, element) for item in getattr(message.list, field)]
    return _raw(message) if None in items else values.freeze(items)


def write(message: Any, value: Any, kind: str) -> None:
    """Set an empty AttrValue to the model's value of an attr of type `kind`.

    Raises:
        ValueError: an attr of that type holds no such value.
    """
    if isinstance(value, dict) and value.keys() == {RAW}:
        fill(message, values.unfreeze(value[RAW]))
    elif kind.startswith("list("):
        element = kind[5:-1]
        fields = {_field(element): [_write_one(item, element) for item in _listed(value)]} if value else {}
        message.list.SetInParent()
        fill(message.list, fields)
    else:
        fill(message, {_field(kind): _write_one(value[values.TENSOR] if kind == "tensor" else value, kind)})


def _listed(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, tuple):
        raise ValueError(f"expected a list, found {value!r}")  # noqa: TRY004 - a wrong value, not a wrong argument
    return value


def _field(kind: str) -> str:
    if kind not in _FIELDS:
        raise ValueError(f"there is no type {kind!r}")
    return _FIELDS[kind]


def _raw(message: Any) -> dict[str, Any]:
    return {RAW: values.freeze(plain(message))}


def _read_one(value: Any, kind: str) -> Any:
    """Return a value in the form of its type, None where that has no room for it."""
    if kind == "type":
        return data_type(value)
    if kind == "string":
        return text(value)
    if kind == "float":
        return shortest(value)
    if kind == "shape":
        return _read_shape(value)
    return plain(value) if kind in ("tensor", "func") else value


def _write_one(value: Any, kind: str) -> Any:
    """Return a value as `fill` takes it."""
    if kind == "type":
        return data_type_number(value)
    if kind == "string":
        octets(value)
    elif kind == "shape":
        return _write_shape(value)
    elif kind in ("tensor", "func"):
        return values.unfreeze(value)
    return value


def _read_shape(shape: Any) -> Any:
    if shape.unknown_rank:
        return None if shape.dim else UNKNOWN_RANK
    return None if any(dim.name for dim in shape.dim) else [dim.size for dim in shape.dim]


def _write_shape(value: Any) -> dict[str, Any]:
    if value == UNKNOWN_RANK:
        return {"unknown_rank": True}
    return {"dim": [{"size": size} if size else {} for size in _listed(value)]} if value else {}

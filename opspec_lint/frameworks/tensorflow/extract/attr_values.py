"""Conversion of attr values between AttrValue messages and the plain values of specs, by the type of the attr.

    string "SAME" (or {"bytes": base64})   int 1   float 0.1   bool true   type "float"   list(...) a list of these
    shape [2, -1] ("unknown" for an unknown rank)   tensor {"tensor": {...}}   func {"name": ...}

A value of a type that the attr does not declare, in an OpDef that TensorFlow would refuse, is `{"attr_value": [type,
value]}`; `{"attr_value": []}` is an AttrValue without a value.
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.frameworks.tensorflow.extract.messages import FIELD_BY_TYPE, TYPE_BY_FIELD, data_type, data_type_number
from opspec_lint.frameworks.tensorflow.extract.plain_messages import fill, set_fields, text
from opspec_lint.kit.float32 import shortest
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

UNKNOWN_RANK = "unknown"
_MIXED, _EMPTY, _PLACEHOLDER = "list", "list()", "placeholder"
"""The types of values that no attr declares: a list of several types, a list without a type, the argument of a call."""


def read(message: Any, kind: str) -> Any:
    """Convert the AttrValue of an attr of type `kind` to a frozen plain value."""
    which = message.WhichOneof("value")
    if which is None:
        return {values.OTHER_TYPE: ()}
    if which == "list":
        actual, value = _read_list(message.list)
        if actual == _EMPTY and kind.startswith("list("):
            actual = kind
    else:
        actual = TYPE_BY_FIELD.get(which, _PLACEHOLDER)
        value = _read_scalar(getattr(message, which), actual)
        if actual == "tensor":
            value = {values.TENSOR: value}  # marked, as single tensors are compared by elements, others by bytes
    frozen = value if type(value) is tuple else values.freeze(value)
    return frozen if actual == kind else {values.OTHER_TYPE: (actual, frozen)}


def write(message: Any, value: Any, kind: str) -> None:
    """Fill an AttrValue with the plain value of an attr of type `kind`; raises ValueError if it does not fit."""
    message.SetInParent()
    if isinstance(value, dict) and value.keys() == {values.OTHER_TYPE}:
        if value[values.OTHER_TYPE]:
            actual, actual_value = value[values.OTHER_TYPE]
            write(message, actual_value, actual)
    elif kind in (_EMPTY, _MIXED):
        message.list.SetInParent()
        fill(message.list, values.tuples_to_lists(value) if kind == _MIXED else {})
    elif kind.startswith("list("):
        element = kind.removeprefix("list(").removesuffix(")")
        message.list.SetInParent()
        if value:
            items = [_write_scalar(item, element) for item in _require_list(value)]
            fill(message.list, {_field_of_type(element): items})
    else:
        single = value[values.TENSOR] if kind == "tensor" else value
        fill(message, {_field_of_type(kind): _write_scalar(single, kind)})


def _read_list(items: Any) -> tuple[str, Any]:
    """Return type and items of a list: a frozen tuple for scalars, otherwise a list that the caller freezes."""
    fields = [field.name for field, _ in items.ListFields()]
    if not fields:
        return _EMPTY, []
    if len(fields) > 1:
        return _MIXED, set_fields(items)
    element, held = TYPE_BY_FIELD[fields[0]], getattr(items, fields[0])
    # A default value may have millions of items, so that one call per item of a general function is too slow.
    if element in _READ_FAST:
        return f"list({element})", tuple(map(_READ_FAST[element], held))
    return f"list({element})", [_read_scalar(item, element) for item in held]


def _read_float(value: float) -> float:
    """Return the shortest float64 that rounds to the same float32; one object for all NaNs."""
    if value != value:
        return values.NAN
    return _shortest(value) if value else value  # 0.0 and -0.0 are equal, and would share a cache entry


_shortest = lru_cache(maxsize=4096)(shortest)
"""Cached, as most numbers in a list of millions recur, and then share one object."""


_READ_FAST: dict[str, Callable[[Any], Any]] = {"int": int, "bool": bool, "float": _read_float, "type": data_type}


def _read_scalar(value: Any, kind: str) -> Any:
    """Convert one value, or item of a list, of an element type."""
    if kind == "type":
        return data_type(value)
    if kind == "string":
        return text(value)
    if kind == "float":
        return shortest(value)
    if kind == "shape":
        return _read_shape(value)
    return set_fields(value) if kind in ("tensor", "func") else value


def _write_scalar(value: Any, kind: str) -> Any:
    """Convert a plain value to the form that `fill` takes."""
    if kind == "type":
        return data_type_number(value)
    if kind == "shape":
        return _write_shape(value)
    return values.tuples_to_lists(value) if kind in ("tensor", "func") else value


def _read_shape(shape: Any) -> Any:
    """Return the dimensions of a shape, "unknown", or all fields of a shape with named dimensions."""
    if any(dim.name for dim in shape.dim) or (shape.unknown_rank and shape.dim):
        return set_fields(shape)
    return UNKNOWN_RANK if shape.unknown_rank else [dim.size for dim in shape.dim]


def _write_shape(value: Any) -> dict[str, Any]:
    """Convert the plain value of a shape to the fields of a TensorShapeProto."""
    if value == UNKNOWN_RANK:
        return {"unknown_rank": True}
    if isinstance(value, dict):
        return dict(values.tuples_to_lists(value))
    return {"dim": [{"size": size} if size else {} for size in _require_list(value)]} if value else {}


def _require_list(value: Any) -> tuple[Any, ...]:
    """Return a value that has to be a list."""
    if not isinstance(value, tuple):
        raise ValueError(f"expected a list, found {value!r}")  # noqa: TRY004 - a wrong value, not a wrong argument
    return value


def _field_of_type(kind: str) -> str:
    """Return the field of an AttrValue for a type; a placeholder is a field as well."""
    if kind != _PLACEHOLDER and kind not in FIELD_BY_TYPE:
        raise ValueError(f"there is no type {kind!r}")
    return FIELD_BY_TYPE.get(kind, kind)

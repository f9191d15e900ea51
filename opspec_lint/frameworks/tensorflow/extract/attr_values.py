"""The values of attrs: an AttrValue message and the type that the attr declares, and the value that the model holds.

    string "SAME" (or {"bytes": base64})   int 1   float 0.1   bool true   type "float"   list(...) a list of these
    shape [2, -1] ("unknown" where not even the rank is known)   tensor {"tensor": {...}}   func {"name": ...}

A value of another type than the attr declares, in an OpDef that TensorFlow would refuse, is `{"attr_value": [type,
value]}`, and `{"attr_value": []}` is an AttrValue without a value.
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.frameworks.tensorflow.extract.messages import data_type, data_type_number
from opspec_lint.frameworks.tensorflow.extract.plain_messages import fill, set_fields, text
from opspec_lint.kit.float32 import shortest
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

UNKNOWN_RANK = "unknown"
_MIXED, _EMPTY, _PLACEHOLDER = "list", "list()", "placeholder"
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


_KINDS = {field: kind for kind, field in _FIELDS.items()}


def read(message: Any, kind: str) -> Any:
    """Return the model's value of an AttrValue that an attr of type `kind` holds."""
    which = message.WhichOneof("value")
    if which is None:
        return {values.OTHER_TYPE: ()}
    if which == "list":
        actual, value = _read_list(message.list)
        if actual == _EMPTY and kind.startswith("list("):
            actual = kind
    else:
        actual = _KINDS.get(which, _PLACEHOLDER)
        value = _read_one(getattr(message, which), actual)
        if actual == "tensor":
            value = {values.TENSOR: value}  # in a list TensorFlow compares the bytes, and not the elements
    frozen = value if type(value) is tuple else values.freeze(value)
    return frozen if actual == kind else {values.OTHER_TYPE: (actual, frozen)}


def write(message: Any, value: Any, kind: str) -> None:
    """Set an AttrValue to the model's value of an attr of type `kind`.

    Raises:
        ValueError: an attr of that type holds no such value.
    """
    message.SetInParent()
    if isinstance(value, dict) and value.keys() == {values.OTHER_TYPE}:
        if value[values.OTHER_TYPE]:
            actual, other = value[values.OTHER_TYPE]
            write(message, other, actual)
    elif kind in (_EMPTY, _MIXED):
        message.list.SetInParent()
        fill(message.list, values.tuples_to_lists(value) if kind == _MIXED else {})
    elif kind.startswith("list("):
        element = kind[5:-1]
        message.list.SetInParent()
        fill(message.list, {_field(element): [_write_one(item, element) for item in _listed(value)]} if value else {})
    else:
        single = value[values.TENSOR] if kind == "tensor" else value
        fill(message, {_field(kind): _write_one(single, kind)})


def _read_list(items: Any) -> tuple[str, Any]:
    """Return the type of a list, and its items: a tuple of scalars, which is frozen, or a list."""
    fields = [field.name for field, _ in items.ListFields()]
    if not fields:
        return _EMPTY, []
    if len(fields) > 1:
        return _MIXED, set_fields(items)
    element, held = _KINDS[fields[0]], getattr(items, fields[0])
    if element in _READ_FAST:  # a default value may have millions of items
        return f"list({element})", tuple(map(_READ_FAST[element], held))
    return f"list({element})", [_read_one(item, element) for item in held]


def _read_float(value: float) -> float:
    if value != value:
        return values.NAN
    return _shortest(value) if value else value  # to a cache, 0.0 and -0.0 are one key


_shortest = lru_cache(maxsize=4096)(shortest)
"""The same object for equal numbers: of millions in one list most come again."""


_READ_FAST: dict[str, Callable[[Any], Any]] = {"int": int, "bool": bool, "float": _read_float, "type": data_type}


def _read_one(value: Any, kind: str) -> Any:
    if kind == "type":
        return data_type(value)
    if kind == "string":
        return text(value)
    if kind == "float":
        return shortest(value)
    if kind == "shape":
        return _read_shape(value)
    return set_fields(value) if kind in ("tensor", "func") else value


def _write_one(value: Any, kind: str) -> Any:
    """Return a value as `fill` takes it."""
    if kind == "type":
        return data_type_number(value)
    if kind == "shape":
        return _write_shape(value)
    return values.tuples_to_lists(value) if kind in ("tensor", "func") else value


def _read_shape(shape: Any) -> Any:
    """Return the sizes of a shape; all that it says where its dimensions have names."""
    if any(dim.name for dim in shape.dim) or (shape.unknown_rank and shape.dim):
        return set_fields(shape)
    return UNKNOWN_RANK if shape.unknown_rank else [dim.size for dim in shape.dim]


def _write_shape(value: Any) -> dict[str, Any]:
    if value == UNKNOWN_RANK:
        return {"unknown_rank": True}
    if isinstance(value, dict):
        return dict(values.tuples_to_lists(value))
    return {"dim": [{"size": size} if size else {} for size in _listed(value)]} if value else {}


def _listed(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, tuple):
        raise ValueError(f"expected a list, found {value!r}")  # noqa: TRY004 - a wrong value, not a wrong argument
    return value


def _field(kind: str) -> str:
    if kind != _PLACEHOLDER and kind not in _FIELDS:
        raise ValueError(f"there is no type {kind!r}")
    return _FIELDS.get(kind, kind)

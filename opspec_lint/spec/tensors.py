"""Equality of tensor values, whose elements can be stored in several ways.

A tensor value has the fields of TensorFlow's TensorProto (tensorflow/core/framework/tensor.proto). Its elements are in
a list, in the field for their type, or as bytes in `tensor_content`; if there are fewer than the shape requires, the
last one is repeated.
"""

from __future__ import annotations

import base64
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FORMATS = {
    "DT_FLOAT": ("float_val", "f"),
    "DT_DOUBLE": ("double_val", "d"),
    "DT_INT32": ("int_val", "i"),
    "DT_INT16": ("int_val", "h"),
    "DT_INT8": ("int_val", "b"),
    "DT_UINT8": ("int_val", "B"),
    "DT_UINT16": ("int_val", "H"),
    "DT_QINT8": ("int_val", "b"),
    "DT_QUINT8": ("int_val", "B"),
    "DT_QINT16": ("int_val", "h"),
    "DT_QUINT16": ("int_val", "H"),
    "DT_QINT32": ("int_val", "i"),
    "DT_INT64": ("int64_val", "q"),
    "DT_BOOL": ("bool_val", "?"),
    "DT_HALF": ("half_val", "H"),
    "DT_BFLOAT16": ("half_val", "H"),
    "DT_UINT32": ("uint32_val", "I"),
    "DT_UINT64": ("uint64_val", "Q"),
    "DT_COMPLEX64": ("scomplex_val", "2f"),
    "DT_COMPLEX128": ("dcomplex_val", "2d"),
}
"""The field with the elements of each type, and the struct format of one element."""


def same(a: dict[str, object], b: dict[str, object]) -> bool:
    """Return whether two tensors have the same type, shape and elements, however they are stored.

    False for tensors of strings, resources and variants, and for malformed ones.
    """
    try:
        elements_a, elements_b = _elements(a), _elements(b)
        return (
            elements_a is not None
            and elements_a == elements_b
            and a.get("dtype") == b.get("dtype")
            and _shape(a) == _shape(b)
        )
    except (AttributeError, KeyError, TypeError, ValueError):  # what stands there is no tensor
        return False


def _shape(tensor: dict[str, Any]) -> list[int]:
    return [dim.get("size", 0) for dim in tensor.get("tensor_shape", {}).get("dim", ())]


def _elements(tensor: dict[str, Any]) -> list[bytes] | None:
    """Return the bytes of each element, without repetitions of the last; None if they cannot be determined."""
    field, code = _FORMATS.get(tensor.get("dtype", ""), ("", ""))
    if not field or tensor.get("tensor_shape", {}).get("unknown_rank"):
        return None
    size = struct.calcsize(f"<{code}")
    content = tensor.get("tensor_content", "")
    try:
        data = content.encode() if isinstance(content, str) else base64.b64decode(content["bytes"])
        data = data or _pack(tensor.get(field, ()), code)
    except struct.error:
        return None
    if len(data) % size:
        return None
    # Without any element, all are zero.
    elements = [data[at : at + size] for at in range(0, len(data), size)] or [bytes(size)]
    # A reader repeats the last element up to the size of the shape (FromProtoField, core/framework/tensor.cc).
    while len(elements) > 1 and elements[-1] == elements[-2]:
        elements.pop()
    return elements


def _pack(items: tuple[object, ...], code: str) -> bytes:
    return struct.pack(f"<{len(items)}{code[-1]}", *items)

"""Python literals of constant tensors (TensorProto), for the default values of signatures."""

from __future__ import annotations

import struct

from opspec_lint.frameworks.tensorflow.extract.messages import data_type
from opspec_lint.kit.float32 import shortest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_FIELDS = {
    "float": ("f", "float_val"),
    "double": ("d", "double_val"),
    "bool": ("?", "bool_val"),
    "int8": ("b", "int_val"),
    "uint8": ("B", "int_val"),
    "int16": ("h", "int_val"),
    "uint16": ("H", "int_val"),
    "int32": ("i", "int_val"),
    "int64": ("q", "int64_val"),
    "uint32": ("I", "uint32_val"),
    "uint64": ("Q", "uint64_val"),
    "string": ("", "string_val"),
}
"""By data type: the `struct` code of an element in `tensor_content`, and the field that lists elements."""
_ZEROS = {"float": 0.0, "double": 0.0, "bool": False, "string": b""}
_MAX_ELEMENTS = 16
"""Elements up to which a tensor is written as a literal."""


def python_text(tensor: Any) -> str:
    """Return a TensorProto as Python text: `3.0`, `[1, 2]`; as a digest if it is large or has no literals."""
    kind, shape = data_type(tensor.dtype), [dim.size for dim in tensor.tensor_shape.dim]
    count = 1
    for size in shape:
        count *= size
    values = _elements(tensor, kind, count) if 0 <= count <= _MAX_ELEMENTS else None
    if values is None:
        return _digest(tensor)
    return _nested_list([_literal(value, kind) for value in values], shape)


def _elements(tensor: Any, kind: str, count: int) -> list[Any] | None:
    """Return the elements of a tensor; None if its type has no literals or its bytes do not fit its shape."""
    form, field = _FIELDS.get(kind, ("", ""))
    if not field:
        return None
    if tensor.tensor_content:
        layout = struct.Struct(f"<{count}{form}")
        is_whole = form and layout.size == len(tensor.tensor_content)
        return list(layout.unpack(tensor.tensor_content)) if is_whole else None
    # TensorFlow leaves out repetitions of the last element, and all of a zero tensor (tensor_util.make_ndarray).
    values = list(getattr(tensor, field))[:count]
    return values + (values[-1:] or [_ZEROS.get(kind, 0)]) * (count - len(values))


def _literal(value: Any, kind: str) -> str:
    return repr(float(shortest(value)) if kind == "float" else value)


def _nested_list(texts: Sequence[str], shape: Sequence[int]) -> str:
    """Return the elements as a list that is nested as deep as the tensor has dimensions: `[[1, 2], [3, 4]]`."""
    if not shape:
        return texts[0]
    step = len(texts) // shape[0] if shape[0] else 0
    return f"[{', '.join(_nested_list(part, shape[1:]) for part in _split_evenly(texts, step, shape[0]))}]"


def _split_evenly(texts: Sequence[str], step: int, count: int) -> Iterator[Sequence[str]]:
    """Yield `count` runs of `step` texts: of empty runs as many as well."""
    for at in range(count):
        yield texts[at * step : (at + 1) * step]


def _digest(tensor: Any) -> str:
    from hashlib import sha256

    return f"'sha256 {sha256(tensor.SerializeToString(deterministic=True)).hexdigest()[:16]}'"

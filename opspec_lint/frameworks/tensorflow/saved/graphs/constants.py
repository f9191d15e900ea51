"""The values of constant tensors, as Python writes them: the default values of signatures."""

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
"""By data type, the code of an element in `tensor_content`, and the field that holds elements one by one."""
_ZEROS = {"float": 0.0, "double": 0.0, "bool": False, "string": b""}
_MOST = 16
"""Elements that are written out."""


def python_text(found: Any) -> str:
    """Return the text of a TensorProto: `3.0`, `[1, 2]`; a digest if it is large, or if its type has no literals."""
    kind, shape = data_type(found.dtype), [each.size for each in found.tensor_shape.dim]
    count = 1
    for size in shape:
        count *= size
    values = _values(found, kind, count) if 0 <= count <= _MOST else None
    if values is None:
        return _digest(found)
    return _nested([_literal(each, kind) for each in values], shape)


def _values(found: Any, kind: str, count: int) -> list[Any] | None:
    """Return the elements, None for a type without literals and for content of another size than its shape says."""
    form, field = _FIELDS.get(kind, ("", ""))
    if not field:
        return None
    if found.tensor_content:
        layout = struct.Struct(f"<{count}{form}")
        is_whole = form and layout.size == len(found.tensor_content)
        return list(layout.unpack(found.tensor_content)) if is_whole else None
    values = list(getattr(found, field))[:count]
    return values + (values[-1:] or [_ZEROS.get(kind, 0)]) * (count - len(values))


def _literal(value: Any, kind: str) -> str:
    return repr(float(shortest(value)) if kind == "float" else value)


def _nested(texts: Sequence[str], shape: Sequence[int]) -> str:
    if not shape:
        return texts[0]
    step = len(texts) // shape[0] if shape[0] else 0
    return f"[{', '.join(_nested(each, shape[1:]) for each in _portions(texts, step, shape[0]))}]"


def _portions(texts: Sequence[str], step: int, count: int) -> Iterator[Sequence[str]]:
    for at in range(count):
        yield texts[at * step : (at + 1) * step]


def _digest(found: Any) -> str:
    from hashlib import sha256

    return f"'sha256 {sha256(found.SerializeToString(deterministic=True)).hexdigest()[:16]}'"

"""The canonical text of default values: two texts are equal if and only if the values are equal for PyTorch.

The text shows the value as PyTorch stores it: `1` of a float is `1.0`, `Mean` is 1, and a scalar of a sized list
such as `int[2]` is repeated: `[0, 0]`.
"""

from __future__ import annotations

import json

from opspec_lint.frameworks.pytorch.schemas.types import LIST, OPTIONAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.pytorch.schemas.types import Type

_REDUCTIONS = {"None": None, "True": True, "False": False, "Mean": 1, "Sum": 2}
_SCALAR_TYPES = ("byte", "char", "short", "int", "long", "half", "float", "double", "complex32", "cfloat", "cdouble")
_DTYPES = {
    **dict(zip(("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"), range(8), strict=True)),
    **dict(zip(("chalf", "complex64", "complex128"), range(8, 11), strict=True)),
    **dict(zip(("qint8", "quint8", "qint32", "bfloat16", "quint4x2", "quint2x4"), range(12, 18), strict=True)),
    **dict(zip(("float8_e5m2", "float8_e4m3fn", "float8_e5m2fnuz", "float8_e4m3fnuz"), range(23, 27), strict=True)),
    **dict(zip(("uint16", "uint32", "uint64"), range(27, 30), strict=True)),
}
"""The dtypes by the names that Python has for them."""
_LAYOUTS = ("strided", "sparse_coo", "mkldnn", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged")
_MEMORY_FORMATS = ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")
_CODES = {
    **{name: code for code, name in enumerate(_SCALAR_TYPES)},
    "bool": 11,
    **_DTYPES,
    **{name: code for names in (_LAYOUTS, _MEMORY_FORMATS) for code, name in enumerate(names)},
}
"""The numbers of enum values, by the names that schemas use (c10/core/ScalarType.h, Layout.h, MemoryFormat.h)."""
_FLOATS = {"float": float, "complex": complex}
_MAX_REPEATED = 10_000
"""Items of a sized list for which a scalar is repeated."""
_INTEGERS = range(-(1 << 63), 1 << 63)


def parse_identifier(text: str) -> object:
    """Return the default value that an identifier such as `Mean` or `float32` denotes; raise ValueError if none."""
    if text in _REDUCTIONS:
        return _REDUCTIONS[text]
    if text in _CODES:
        return _CODES[text]
    raise ValueError(f"'{text}' is no default value")


def parse_number(text: str) -> object:
    """Return the value of a number; raise ValueError for an integer of more than 64 bits."""
    if text.lstrip("+-")[:2] in ("0x", "0X"):
        # PyTorch reads the digits before the `x` only (2.13.0: `int n=0x2F` is registered as 0).
        return 0
    if text[-1] == "j":
        return complex(text)
    if text.lstrip("+-").isdigit():
        if len(text) > 20 or int(text) not in _INTEGERS:
            raise ValueError(f"{text[:30]} has more than 64 bits")
        return int(text)
    # -0.0 + 0.0 is 0.0, which is the same default.
    return float(text) + 0.0


def canonical(value: object, kind: Type) -> str:
    """Return the canonical text of the default value of an argument of a type."""
    return _to_text(_convert(value, kind))


def _convert(value: object, kind: Type) -> object:
    """Return a value converted to a type as PyTorch does; raise ValueError for a list that is too long."""
    listed = kind.items[0] if kind.head == OPTIONAL and kind.items[0].head == LIST else kind
    if kind.head == LIST and kind.size is not None and not isinstance(value, list):
        if kind.size > _MAX_REPEATED:
            raise ValueError(f"the default value is repeated {kind.size} times")
        value = [value] * kind.size
    if isinstance(value, list):
        return [_convert(item, listed.items[0]) for item in value] if listed.head == LIST else value
    if isinstance(value, int | float) and not isinstance(value, bool) and kind.head in _FLOATS:
        return _FLOATS[kind.head](value)
    return value


def _to_text(value: object) -> str:
    """Return a value as Python writes it, with strings in double quotes as in schemas."""
    if isinstance(value, list):
        return f"[{', '.join(map(_to_text, value))}]"
    return json.dumps(value) if isinstance(value, str) else repr(value)

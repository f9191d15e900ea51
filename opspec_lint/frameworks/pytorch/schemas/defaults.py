"""The default values of arguments, as one canonical text each: equal texts are equal values to PyTorch.

Values are compared after PyTorch has read them: `1` of a float is `1.0`, `Mean` is 1, and a scalar of a sized list is
repeated. A text such as `[0, 0]` is what Python writes for the value.
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
"""The names that Python has for types of elements."""
_LAYOUTS = ("strided", "sparse_coo", "mkldnn", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged")
_MEMORY_FORMATS = ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")
_CODES = {
    **{word: code for code, word in enumerate(_SCALAR_TYPES)},
    "bool": 11,
    **_DTYPES,
    **{word: code for words in (_LAYOUTS, _MEMORY_FORMATS) for code, word in enumerate(words)},
}
"""The numbers of enums, by the words that schemas use for them."""
_FLOATS = {"float": float, "complex": complex}
_MOST = 10_000
"""Items of a list that a scalar is repeated for."""
_INTEGERS = range(-(1 << 63), 1 << 63)


def word(text: str) -> object:
    """Return the value that an identifier stands for.

    Raises:
        ValueError: the identifier stands for no value.
    """
    if text in _REDUCTIONS:
        return _REDUCTIONS[text]
    if text in _CODES:
        return _CODES[text]
    raise ValueError(f"'{text}' is no default value")


def number(text: str) -> object:
    """Return the value of a number.

    Raises:
        ValueError: the number is an integer of more than 64 bits.
    """
    if text.lstrip("+-")[:2] in ("0x", "0X"):
        return 0  # PyTorch reads the digits before the `x` only (2.13.0: `int n=0x2F` is registered as 0)
    if text[-1] == "j":
        return complex(text)
    if text.lstrip("+-").isdigit():
        if len(text) > 20 or int(text) not in _INTEGERS:
            raise ValueError(f"{text[:30]} has more than 64 bits")
        return int(text)
    return float(text) + 0.0  # -0.0 is the same default as 0.0


def canonical(value: object, kind: Type) -> str:
    """Return the text of a value that an argument of a type has by default.

    Raises:
        ValueError: the value is repeated too often.
    """
    return _show(_typed(value, kind))


def _typed(value: object, kind: Type) -> object:
    """Return a value as PyTorch stores it for a type."""
    listed = kind.items[0] if kind.head == OPTIONAL and kind.items[0].head == LIST else kind
    if kind.head == LIST and kind.size is not None and not isinstance(value, list):
        if kind.size > _MOST:
            raise ValueError(f"the default value is repeated {kind.size} times")
        value = [value] * kind.size
    if isinstance(value, list):
        return [_typed(each, listed.items[0]) for each in value] if listed.head == LIST else value
    if isinstance(value, int | float) and not isinstance(value, bool) and kind.head in _FLOATS:
        return _FLOATS[kind.head](value)
    return value


def _show(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_show, value))}]"
    return json.dumps(value) if isinstance(value, str) else repr(value)

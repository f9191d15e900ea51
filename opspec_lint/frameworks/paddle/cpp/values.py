"""The types of attrs in C++, and the values that they turn what is written into."""

from __future__ import annotations

import re

from opspec_lint.frameworks.paddle.cpp.tokens import Float32, single
from opspec_lint.frameworks.paddle.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SCALARS = {
    "int": "INT",
    "int32_t": "INT",
    "float": "FLOAT",
    "std::string": "STRING",
    "string": "STRING",
    "bool": "BOOLEAN",
    "BlockDesc*": "BLOCK",
    "int64_t": "LONG",
    "double": "FLOAT64",
    "VarDesc*": "VAR",
    "Scalar": "SCALAR",
}
_VECTORS = {
    "INT": "INTS",
    "FLOAT": "FLOATS",
    "STRING": "STRINGS",
    "BOOLEAN": "BOOLEANS",
    "BLOCK": "BLOCKS",
    "LONG": "LONGS",
    "FLOAT64": "FLOAT64S",
    "VAR": "VARS",
    "SCALAR": "SCALARS",
}
_ELEMENTS = {vector: scalar for scalar, vector in _VECTORS.items()}
_ZEROS: dict[str, Any] = {"INT": 0, "LONG": 0, "FLOAT": 0.0, "FLOAT64": 0.0, "BOOLEAN": False, "STRING": ""}
_NAMESPACE = re.compile(r"\b(?!std::)[A-Za-z_]\w*::")
_VECTOR = re.compile(r"(?:std::)?vector<(.*)>")


class Null:
    """The null pointer."""

    def __bool__(self) -> bool:
        return False


NULL = Null()


def attr_type(text: str) -> str | None:
    """Return Paddle's name of the attr type that a C++ type is, None where it is none."""
    plain = _NAMESPACE.sub("", text.replace("::std::", "std::")).removeprefix("::")
    plain = re.sub(r"\s+", "", re.sub(r"\b(?:const|typename|class|struct)\b\s*", "", plain))
    plain = _NAMESPACE.sub("", plain)
    vector = _VECTOR.fullmatch(plain)
    if vector:
        return _VECTORS.get(attr_type(vector[1]) or "") if len(plain) < 200 else None
    return _SCALARS.get(plain)


def converted(value: Any, kind: str) -> Any:
    """Return a value as an attr of a type holds it, lists as tuples.

    Raises:
        UnresolvedError: the type cannot hold it.
    """
    element = _ELEMENTS.get(kind)
    if element is not None:
        if isinstance(value, list):
            return tuple([converted(item, element) for item in value])
    elif isinstance(value, list):
        if not value and kind in _ZEROS:
            return _ZEROS[kind]
        if len(value) == 1 and not isinstance(value[0], list):
            return converted(value[0], kind)
    elif kind in ("BLOCK", "VAR"):
        if isinstance(value, Null):
            return None
    elif kind == "STRING":
        if isinstance(value, str):
            return value
    elif isinstance(value, (bool, int, float)):
        return _number(value, kind)
    raise UnresolvedError(f"a default of type {kind} cannot be {_shown(value)}")


def _number(value: float, kind: str) -> Any:
    if kind == "BOOLEAN":
        return bool(value)
    if kind == "FLOAT":
        return single(value)
    if kind == "FLOAT64":
        return float(value)
    if kind in ("INT", "LONG"):
        if value != value or value in (float("inf"), float("-inf")):
            raise UnresolvedError(f"a default of type {kind} cannot be {value}")
        bits = 32 if kind == "INT" else 64
        whole = int(value) & ((1 << bits) - 1)
        return whole - (1 << bits) if whole >> (bits - 1) else whole
    raise UnresolvedError(f"a default of type {kind} cannot be {_shown(value)}")


def plus(a: Any, b: Any) -> Any:
    """Return a sum, or two strings as one."""
    if isinstance(a, str) and isinstance(b, str):
        return a + b
    return arithmetic("+", a, b)


def arithmetic(sign: str, a: Any, b: Any) -> Any:
    """Return what an operator of C++ makes of two numbers.

    Raises:
        UnresolvedError: it makes nothing of them.
    """
    if not isinstance(a, (bool, int, float)) or not isinstance(b, (bool, int, float)):
        if sign in ("==", "!=") and type(a) is type(b):
            return (a == b) == (sign == "==")
        raise UnresolvedError(f"{_shown(a)} {sign} {_shown(b)} cannot be evaluated")
    if sign in ("/", "%") and not b:
        raise UnresolvedError("a division by zero")
    if sign in ("<<", ">>") and not (isinstance(a, int) and isinstance(b, int) and 0 <= b < 64):
        raise UnresolvedError(f"{_shown(a)} {sign} {_shown(b)} cannot be evaluated")
    whole = isinstance(a, int) and isinstance(b, int)
    if sign in ("%", "&", "|", "^") and not whole:
        raise UnresolvedError(f"{_shown(a)} {sign} {_shown(b)} cannot be evaluated")
    value = _OPERATORS[sign](a, b)
    if isinstance(value, bool) or whole:
        return value
    doubles = [each for each in (a, b) if isinstance(each, float) and not isinstance(each, Float32)]
    return value if doubles else Float32(value)


def _divided(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        quotient = abs(a) // abs(b)
        return quotient if (a < 0) == (b < 0) else -quotient
    return a / b


_OPERATORS: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
    "%": lambda a, b: a - b * _divided(a, b),
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def _shown(value: Any) -> str:
    return "a null pointer" if isinstance(value, Null) else repr(value)[:60]

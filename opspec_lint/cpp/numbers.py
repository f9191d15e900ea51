"""C++ arithmetic on 64-bit Linux: types, promotions, conversions and overflow.

A value of type `int` is a plain Python int, a `double` a plain float; other types have their own classes.
"""

from __future__ import annotations

import math

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.float32 import to_float32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BITS = {
    "bool": 1,
    "char": 8,
    "signed char": 8,
    "unsigned char": 8,
    "short": 16,
    "unsigned short": 16,
    "int": 32,
    "unsigned int": 32,
    "long": 64,
    "unsigned long": 64,
}
_RANKS = ("int", "unsigned int", "long", "unsigned long", "float", "double")
NUMBERS = frozenset({*_BITS, "float", "double"})
"""The types of numbers, as `kind_of` names them; `long long` is `long` of the same size."""

SIZES = {kind: max(bits // 8, 1) for kind, bits in _BITS.items()} | {"float": 4, "double": 8}
"""The size of each type in bytes."""


SCOPED = "enum class"
"""The type of an enumerator of any `enum class`."""


class Whole(int):
    """An integer of another type than `int` and `bool`; each type has a subclass."""

    __slots__ = ()
    kind = "int"


class Scoped(int):
    """An enumerator of an `enum class`, which only a cast converts to a number."""

    __slots__ = ()


_CLASSES: dict[str, type[Whole]] = {
    kind: type(kind, (Whole,), {"__slots__": (), "kind": kind}) for kind in _BITS if kind not in ("bool", "int")
}


class Float32(float):
    """A number of single precision, widened to double precision."""

    __slots__ = ()

    def __new__(cls, value: float) -> Float32:  # noqa: PYI034 - typing is not imported
        """Round to single precision."""
        return super().__new__(cls, to_float32(value))


def kind_of(value: Any) -> str | None:
    """Return the C++ type of a number; None if the value is no number."""
    # First, as Python's bool is a subclass of int.
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, Scoped):
        return SCOPED
    if isinstance(value, int):
        return value.kind if isinstance(value, Whole) else "int"
    if isinstance(value, float):
        return "float" if isinstance(value, Float32) else "double"
    return None


def limits(kind: str) -> tuple[int, int]:
    """Return the least and greatest value of an integer type."""
    bits = _BITS[kind]
    if kind == "bool" or kind.startswith("unsigned"):
        return 0, (1 << bits) - 1
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def first_fitting(value: int, *kinds: str) -> Any:
    """Return an integer in the first of the given types that can hold it.

    Raises:
        UnresolvedError: no type can hold the number.
    """
    for kind in kinds:
        least, greatest = limits(kind)
        if least <= value <= greatest:
            return _with_type(value, kind)
    raise UnresolvedError(f"{value} is too large for a number")


def convert_number(value: float, kind: str) -> Any:
    """Return a number converted to a type, as by an assignment.

    Raises:
        UnresolvedError: C++ does not define the result.
    """
    if kind == "double":
        return float(value)
    if kind == "float":
        return Float32(value)
    if kind == "bool":
        return bool(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise UnresolvedError(f"{value} is not of type {kind}")
        value = int(value)
        least, greatest = limits(kind)
        # A fraction beyond the limits is undefined, and not reduced as an integer is ([conv.fpint]).
        if not least <= value <= greatest:
            raise UnresolvedError(f"{value} is not of type {kind}")
    bits = _BITS[kind]
    # Modulo the size of the type ([conv.integral]); Python's integers have no size.
    value = int(value) & ((1 << bits) - 1)
    if not kind.startswith("unsigned") and value >> (bits - 1):
        value -= 1 << bits
    return _with_type(value, kind)


def promote(kind: str) -> str:
    """Return the type that an operand is promoted to."""
    return kind if kind in _RANKS else "int"


def common_type(first: str, second: str) -> str:
    """Return the type in which C++ computes with operands of two types."""
    # The usual arithmetic conversions: the operand of the lower rank is converted ([expr.arith.conv]).
    return max(promote(first), promote(second), key=_RANKS.index)


def apply_sign(sign: str, value: Any) -> Any:
    """Return the result of `+`, `-` or `~` on a number.

    Raises:
        UnresolvedError: the sign does not apply to the number.
    """
    kind = kind_of(value)
    if kind in (None, SCOPED) or (sign == "~" and isinstance(value, float)):
        raise UnresolvedError(f"{sign} cannot be applied")
    kind = promote(str(kind))
    plain = float(value) if isinstance(value, float) else int(value)
    return _checked_result(plain if sign == "+" else -plain if sign == "-" else ~int(plain), kind)


def compute(sign: str, a: Any, b: Any) -> Any:
    """Return the result of an operator of C++ on two numbers.

    Raises:
        UnresolvedError: the operator does not apply to the numbers, or C++ does not define the result.
    """
    first, second = kind_of(a), kind_of(b)
    if first is None or second is None:
        raise UnresolvedError(f"{sign} of something that is not a number")
    if SCOPED in (first, second):
        if first != second or sign not in _COMPARISONS:
            raise UnresolvedError(f"{sign} of an enumerator of an enum class")
        return _COMPARISONS[sign](int(a), int(b))
    if sign in ("<<", ">>"):
        return _shift(sign, a, b, promote(first))
    kind = common_type(first, second)
    if sign in _WHOLE_ONLY and kind in ("float", "double"):
        raise UnresolvedError(f"{a!r} {sign} {b!r} cannot be evaluated")
    a, b = convert_number(a, kind), convert_number(b, kind)
    if sign in ("/", "%") and not b:
        raise UnresolvedError("a division by zero")
    if sign in _COMPARISONS:
        return _COMPARISONS[sign](a, b)
    plain = (float(a), float(b)) if isinstance(a, float) else (int(a), int(b))
    return _checked_result(_OPERATORS[sign](*plain), kind)


def _shift(sign: str, a: Any, b: Any, kind: str) -> Any:
    """Return the result of `<<` or `>>` in the promoted type of the left operand."""
    if isinstance(a, float) or isinstance(b, float) or not 0 <= b < _BITS[kind] or (sign == "<<" and a < 0):
        raise UnresolvedError(f"{a!r} {sign} {b!r} cannot be evaluated")
    if sign == ">>":
        return _with_type(int(a) >> int(b), kind)
    value = int(a) << int(b)
    # [expr.shift]: a bit may reach the sign bit, but not go beyond it.
    if not kind.startswith("unsigned") and value >> _BITS[kind]:
        raise UnresolvedError(f"{a!r} << {b!r} is too large for {kind}")
    return convert_number(value, kind)


def _checked_result(value: Any, kind: str) -> Any:
    """Return a result in its type; signed overflow is undefined, and raises UnresolvedError."""
    if kind in ("float", "double"):
        return convert_number(value, kind)
    least, greatest = limits(kind)
    if not least <= value <= greatest and not kind.startswith("unsigned"):
        raise UnresolvedError(f"{value} is too large for {kind}")
    return convert_number(value, kind)


def _with_type(value: int, kind: str) -> Any:
    """Return an integer as a value of its C++ type."""
    if kind == "int":
        return value
    return bool(value) if kind == "bool" else _CLASSES[kind](value)


def _divide(a: Any, b: Any) -> Any:
    """Return a quotient as in C++."""
    if isinstance(a, int) and isinstance(b, int):
        # C++ rounds towards zero, and `//` rounds down.
        quotient = abs(a) // abs(b)
        return quotient if (a < 0) == (b < 0) else -quotient
    return a / b


_WHOLE_ONLY = frozenset({"%", "&", "|", "^"})
_COMPARISONS: dict[str, Any] = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_OPERATORS: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    # The remainder has the sign of the dividend ([expr.mul]); Python's has that of the divisor.
    "%": lambda a, b: a - b * _divide(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}

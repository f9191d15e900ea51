"""What an attr may be: the values that are left by everything that checks it, as far as it is understood.

Bounds are inclusive. Between whole numbers that is no loss; among floating-point numbers `> 0` is the smallest that is
greater, and a constant between two numbers of single precision is the next that an attr of that type can hold.
"""

from __future__ import annotations

import math
import struct

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.float32 import to_float32
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.records import AttrRecord

WHOLE = ("INT", "LONG")
_FRACTIONS = ("FLOAT", "FLOAT64")
_MAX_EXACT = 1 << 53


class Bounds(Record):
    """What an attr may be.

    `allowed` is None where any value is. The bounds of a list or string are those of its length. `unknown` says that
    something else checks it, which was not understood.
    """

    allowed: tuple[Any, ...] | None = None
    minimum: Any = None
    maximum: Any = None
    unknown: bool = False

    def narrowed(self, other: Bounds) -> Bounds:
        """The bounds of what is within these and others."""
        allowed, minimum, maximum = (_both(*each) for each in zip(self._limits, other._limits, strict=True))
        if allowed is not None:
            allowed = tuple([each for each in allowed[0] if each in allowed[1]])
        return Bounds(
            allowed=allowed,
            minimum=minimum and max(minimum),
            maximum=maximum and min(maximum),
            unknown=self.unknown or other.unknown,
        )

    def limit(self, attr: AttrRecord) -> None:
        """Set the limits of an attr."""
        unknown = []
        if self.allowed is not None:
            attr["allowed_values"] = self.allowed
        else:
            unknown.append("allowed_values")
        if self.minimum is not None:
            attr["minimum"] = self.minimum
        else:
            unknown.append("minimum")
        if self.maximum is not None:
            attr["maximum"] = self.maximum
        else:
            unknown.append("maximum")
        if self.unknown:
            attr["unknown"] = unknown

    @property
    def _limits(self) -> tuple[Any, Any, Any]:
        return self.allowed, self.minimum, self.maximum


UNKNOWN_BOUNDS = Bounds(unknown=True)
"""Those of an attr that is checked by what was not understood."""


def _both(one: Any, other: Any) -> tuple[Any, Any] | None:
    """Two limits, each of which stands for the other where that is None; None where both are."""
    if one is None and other is None:
        return None
    return (other, other) if one is None else (one, one if other is None else other)


def compared(sign: str, limit: Any, kind: str) -> Bounds:
    """Return the values of an attr type for which a comparison with a constant holds.

    Args:
        sign: `<`, `<=`, `>`, `>=` or `==`.
        limit: the constant, on the right.
        kind: the type of the attr.

    Raises:
        UnresolvedError: the comparison sets no bound.
    """
    if sign == "==":
        return Bounds(allowed=(_exactly(limit, kind),))
    if kind not in (*WHOLE, *_FRACTIONS) or not isinstance(limit, (int, float)) or not math.isfinite(limit):
        raise UnresolvedError("a comparison that sets no bound")
    least = _least if kind in WHOLE else _least_fraction
    if sign in (">", ">="):
        return Bounds(minimum=least(limit, kind, beyond=sign == ">"))
    if sign in ("<", "<="):
        return Bounds(maximum=0 - least(-limit, kind, beyond=sign == "<"))
    raise UnresolvedError(f"a comparison with {sign} sets no bound")


def compared_length(sign: str, limit: Any) -> Bounds:
    """Return the bounds of a length for which a comparison with a constant holds; one below zero would be another."""
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
        raise UnresolvedError("a length is compared with something else")
    bounds = Bounds(minimum=limit, maximum=limit) if sign == "==" else compared(sign, limit, "LONG")
    return bounds.replace(minimum=bounds.minimum or None)  # every length is at least 0


def _exactly(limit: Any, kind: str) -> Any:
    if kind == "STRING" and isinstance(limit, str):
        return limit
    if kind == "BOOLEAN" and isinstance(limit, bool):
        return limit
    if kind in WHOLE and type(limit) is int:
        return limit
    if (
        kind in _FRACTIONS
        and isinstance(limit, (int, float))
        and (to_float32(limit) if kind == "FLOAT" else limit) == limit
    ):
        return float(limit)
    raise UnresolvedError("a value that the attr cannot hold")


def _least(limit: float, _: str, *, beyond: bool) -> int:
    return math.floor(limit) + 1 if beyond else math.ceil(limit)


def _least_fraction(limit: float, kind: str, *, beyond: bool) -> float:
    if isinstance(limit, int) and abs(limit) > _MAX_EXACT:
        raise UnresolvedError("an integer that a float cannot represent exactly")
    found = to_float32(limit) if kind == "FLOAT" else float(limit)
    if found < limit or (beyond and found == limit):
        found = _after(found) if kind == "FLOAT" else math.nextafter(found, math.inf)
    if not math.isfinite(found):
        raise UnresolvedError("a bound beyond the range of numbers")
    return 0 + found  # no minus zero


def _after(value: float) -> float:
    """Return the smallest number of single precision above one."""
    (bits,) = struct.unpack("<i", struct.pack("<f", value + 0.0))
    bits = bits + 1 if bits >= 0 else (bits - 1 if bits != -(1 << 31) else 1)
    return float(struct.unpack("<f", struct.pack("<i", bits))[0])

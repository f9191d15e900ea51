"""The values that the checkers of an attr allow: a set of values, a minimum and a maximum.

Bounds are inclusive. For whole numbers nothing is lost; among floating-point numbers, `> 0` becomes the smallest number
above 0, and a constant that single precision cannot hold becomes the next number that it can.
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
# Doubles represent each integer up to 2 ** 53.
_MAX_EXACT = 1 << 53


class Bounds(Record):
    """The values that an attr may have.

    `allowed` is None if any value is allowed. The bounds of a list or string limit its length. `unknown`: some checker
    that was not understood limits the attr further.
    """

    allowed: tuple[Any, ...] | None = None
    minimum: Any = None
    maximum: Any = None
    unknown: bool = False

    def intersect(self, bounds: Bounds) -> Bounds:
        """Return the bounds that admit the values which both bounds admit."""
        sets, minimums, maximums = (_pair_limits(*pair) for pair in zip(self._limits, bounds._limits, strict=True))
        allowed = None
        if sets is not None:
            first, second = sets
            allowed = tuple([value for value in first if value in second])
        return Bounds(
            allowed=allowed,
            minimum=None if minimums is None else max(minimums),
            maximum=None if maximums is None else min(maximums),
            unknown=self.unknown or bounds.unknown,
        )

    def write_to(self, attr: AttrRecord) -> None:
        """Store the bounds in the record of an attr; limits that may exist beyond them become unknown."""
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
        """The three limits, in the order in which bounds are intersected."""
        return self.allowed, self.minimum, self.maximum


UNKNOWN_BOUNDS = Bounds(unknown=True)
"""The bounds of an attr whose checker was not understood."""


def _pair_limits(first: Any, second: Any) -> tuple[Any, Any] | None:
    """Return two limits as a pair, a missing one replaced by the other; None if both are missing."""
    if first is None:
        return None if second is None else (second, second)
    return (first, first) if second is None else (first, second)


def bounds_of_comparison(sign: str, limit: Any, kind: str) -> Bounds:
    """Return the bounds of an attr of type `kind` that satisfies `attr SIGN limit`, such as `attr >= 0`.

    Raises UnresolvedError for a comparison that sets no bound.
    """
    if sign == "==":
        return Bounds(allowed=(_exactly(limit, kind),))
    if kind not in (*WHOLE, *_FRACTIONS) or not isinstance(limit, (int, float)) or not math.isfinite(limit):
        raise UnresolvedError("a comparison that sets no bound")
    least = _least if kind in WHOLE else _least_fraction
    if sign in (">", ">="):
        return Bounds(minimum=least(limit, kind, beyond=sign == ">"))
    if sign in ("<", "<="):
        # x < limit is -x > -limit, so one function rounds in both directions; 0 - x avoids a minus zero.
        return Bounds(maximum=0 - least(-limit, kind, beyond=sign == "<"))
    raise UnresolvedError(f"a comparison with {sign} sets no bound")


def bounds_of_length(sign: str, limit: Any) -> Bounds:
    """Return the bounds of a list or string whose length satisfies `length SIGN limit`."""
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
        # Paddle's lengths are unsigned: a comparison with a negative number means a huge one.
        raise UnresolvedError("a length is compared with something else")
    bounds = Bounds(minimum=limit, maximum=limit) if sign == "==" else bounds_of_comparison(sign, limit, "LONG")
    # Every length is at least 0, so this minimum is no limit.
    return bounds.replace(minimum=bounds.minimum or None)


def _exactly(limit: Any, kind: str) -> Any:
    """Return the constant as the attr stores it; raise UnresolvedError if the attr cannot hold it."""
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
    """Return the smallest integer that is at least `limit`, or greater than it if `beyond`."""
    return math.floor(limit) + 1 if beyond else math.ceil(limit)


def _least_fraction(limit: float, kind: str, *, beyond: bool) -> float:
    """Return the smallest number of the attr's precision that is at least `limit`, or greater if `beyond`."""
    if isinstance(limit, int) and abs(limit) > _MAX_EXACT:
        raise UnresolvedError("an integer that a float cannot represent exactly")
    least = to_float32(limit) if kind == "FLOAT" else float(limit)
    if least < limit or (beyond and least == limit):
        least = _next_float32(least) if kind == "FLOAT" else math.nextafter(least, math.inf)
    if not math.isfinite(least):
        raise UnresolvedError("a bound beyond the range of numbers")
    return 0 + least  # no minus zero


def _next_float32(value: float) -> float:
    """Return the smallest single-precision number above `value`."""
    # The bits of IEEE 754 numbers, read as integers, have the same order as the numbers; negative ones the reverse.
    (bits,) = struct.unpack("<i", struct.pack("<f", value + 0.0))
    bits = bits + 1 if bits >= 0 else (bits - 1 if bits != -(1 << 31) else 1)
    return float(struct.unpack("<f", struct.pack("<i", bits))[0])

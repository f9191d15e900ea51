"""Numbers of single precision."""

from __future__ import annotations

import math
import struct


def to_float32(number: float) -> float:
    """Return the nearest number of single precision, infinity beyond the largest one.

    `struct.pack` rounds what is beyond to infinity up to Python 3.13, and raises an error in 3.14.
    """
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def shortest(number: float) -> float:
    """Return the number with the fewest digits, at least 6, and the same single precision: 0.1, not 0.100000001."""
    if not math.isfinite(number):
        return number
    rounded = to_float32(number)
    candidates = (float(f"{number:.{digits}g}") for digits in range(6, 9))
    return next((candidate for candidate in candidates if to_float32(candidate) == rounded), float(f"{number:.9g}"))

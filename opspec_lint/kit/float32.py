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

from __future__ import annotations

import math

import pytest

from opspec_lint.kit.float32 import shortest, to_float32

LARGEST = 3.4028234663852886e38


@pytest.mark.parametrize(
    ("number", "rounded"),
    [
        (0.1, 0.10000000149011612),
        (3.4028235e38, LARGEST),
        (-3.4028235e38, -LARGEST),
        (3.403e38, math.inf),  # struct raises an error, or does not, by the version of Python
        (3.4028236e38, math.inf),
        (-1e300, -math.inf),
        (math.inf, math.inf),
        (1e-46, 0.0),
    ],
)
def test_the_nearest_number_of_single_precision(number, rounded):
    assert to_float32(number) == rounded


def test_nan_stays_nan():
    assert math.isnan(to_float32(math.nan))


@pytest.mark.parametrize(
    ("number", "short"),
    [
        (0.10000000149011612, 0.1),
        (LARGEST, 3.4028235e38),
        (16777216.0, 16777216.0),
        (1.401298464324817e-45, 1.4013e-45),
        (-math.inf, -math.inf),
    ],
)
def test_the_shortest_number_of_the_same_single_precision(number, short):
    assert shortest(number) == short
    assert to_float32(short) == number

"""Separation of a change of time from noise.

Old and new run in turn, so each repetition yields one ratio new/old of two runs that shared the state of the machine.
Without a change, half of the ratios are above 1 in the long run: the sign test. Inverted, it yields an interval that
holds the median ratio with a confidence that depends on no distribution, only on the number of repetitions.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LAYOUT = 0.01
"""Ratio by which two environments with the same revision may differ: where the kernel puts their files and pages."""
FALSE_ALARMS = 0.05
"""Share of comparisons that report a change of time for any job where there is none."""


@dataclass(frozen=True)
class Change:
    """Median ratio new/old, and the interval that holds it with a confidence."""

    ratio: float
    low: float
    high: float
    confidence: float
    is_significant: bool

    @property
    def verdict(self) -> str:
        """`slower`, `faster` or `noise`."""
        if not self.is_significant:
            return "noise"
        return "slower" if self.ratio > 1 else "faster"

    def agrees(self, change: Change) -> bool:
        """Return whether two measurements of the same change agree: their intervals overlap."""
        return self.low <= change.high and change.low <= self.high


def change(old: Sequence[float], new: Sequence[float], jobs: int = 1) -> Change:
    """Judge the times of one job, measured in turn, as one of so many jobs of a comparison.

    With too few repetitions for the confidence that so many jobs need, nothing is significant.
    """
    ratios = [after / before for before, after in zip(old, new, strict=True)]
    required = 1 - FALSE_ALARMS / jobs
    low, high, confidence = median_interval(ratios, required)
    low, high = low * (1 - LAYOUT), high * (1 + LAYOUT)
    is_significant = confidence >= required and not low <= 1 <= high
    return Change(statistics.median(ratios), low, high, confidence, is_significant)


def median_interval(values: Sequence[float], required: float) -> tuple[float, float, float]:
    """Return the narrowest interval between two values that holds the median with the required confidence, and its own.

    The widest one if none reaches this confidence.
    """
    ordered, count = sorted(values), len(values)
    cut = 0
    while 2 * (cut + 1) < count and _confidence(count, cut + 1) >= required:
        cut += 1
    return ordered[cut], ordered[count - 1 - cut], _confidence(count, cut)


def _confidence(count: int, cut: int) -> float:
    """Return how likely the median is inside when the `cut` lowest and highest of `count` values are cut off."""
    return 1 - 2 * sum(comb(count, at) for at in range(cut + 1)) * 0.5**count


def repetitions_for(jobs: int) -> int:
    """Return how many repetitions a comparison of so many jobs needs for any change of time to be significant."""
    count = 1
    while _confidence(count, 0) < 1 - FALSE_ALARMS / jobs:
        count += 1
    return count

"""Parameters of which a sample is tested each time, and all with `pytest -m exhaustive`."""

from __future__ import annotations

import pytest


def sampled(items, sample):
    """Return items as parameters: those that are not in a sample are marked as exhaustive."""
    return [pytest.param(each, marks=() if each in sample else pytest.mark.exhaustive) for each in items]

"""Parameters of tests that run with a sample by default, and with all values with `pytest -m exhaustive`."""

from __future__ import annotations

import pytest


def sampled(items, sample):
    """Return items as parameters: those that are not in a sample are marked as exhaustive."""
    return [pytest.param(item, marks=() if item in sample else pytest.mark.exhaustive) for item in items]

"""Timeout of tests that wait, long enough that only a hang exceeds it, however busy the machine.

It is no limit of speed. `tests.support.limited` limits processor time.
"""

from __future__ import annotations

import time

PATIENCE = 600
"""Seconds."""
_PAUSE = 0.02


def until(holds):
    """Wait until a function returns something true, and return that."""
    end = time.monotonic() + PATIENCE
    while not (result := holds()):
        assert time.monotonic() < end, "in vain"
        time.sleep(_PAUSE)
    return result

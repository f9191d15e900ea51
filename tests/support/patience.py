"""How long a test waits for what has to come: so long that nothing but a hang is noticed, however busy the machine.

It says nothing about speed. Limits of that are processor time, in `tests.support.limited`.
"""

from __future__ import annotations

import time

PATIENCE = 600
"""Seconds."""
_PAUSE = 0.02


def until(holds):
    """Wait until something holds, and return what it returned."""
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, "in vain"
        time.sleep(_PAUSE)
    return found

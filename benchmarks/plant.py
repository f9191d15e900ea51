"""Plants a slowdown in an installation, to see that a comparison reports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.installations import Installation

_BURN = """

import os
import time


def _leave(code, leave=os._exit):
    end = time.process_time() * {factor}
    while time.process_time() < end:
        pass
    leave(code)


os._exit = _leave
"""


def slow_down(installation: Installation, percent: float) -> None:
    """Let the program of an installation burn so much more processor time before it ends."""
    (start,) = installation.folder.glob("venv/lib/python*/site-packages/opspec_lint/cli/start.py")
    with start.open("a", encoding="utf-8") as stream:
        stream.write(_BURN.format(factor=1 + percent / 100))

"""Display of the elapsed seconds while a command runs for long without progress messages.

A timer signal triggers the display: a thread could break the processes that a command forks. On systems without such
signals, nothing is shown.
"""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LONG = 2.0
"""Seconds until the first display."""
_AGAIN = 1.0


@contextmanager
def at_work(program: str, show: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """Yield a progress function; while it has shown nothing, the elapsed seconds are shown.

    `program` is the program and the command, for the text. `show` replaces the line shown before; "" clears it.
    """
    begin, shown = time.monotonic(), ""

    def progress(doing: str) -> None:
        nonlocal shown
        shown = doing
        show(doing)

    def show_seconds(*_: object) -> None:
        if not shown:
            show(f"{program}: at work, {time.monotonic() - begin:.0f} s")

    # Windows has no such timer.
    if not hasattr(signal, "setitimer"):
        yield progress
        return
    before = signal.signal(signal.SIGALRM, show_seconds)
    signal.setitimer(signal.ITIMER_REAL, _LONG, _AGAIN)
    try:
        yield progress
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if time.monotonic() - begin >= _LONG:
            show("")

"""Says that a command is at work, if it has taken some seconds and says nothing itself.

A signal does it, so that no thread stands beside the processes that a command starts. Where there is no such signal,
nothing is said.
"""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LONG = 2.0
"""Seconds until something is said."""
_AGAIN = 1.0


@contextmanager
def at_work(program: str, show: Callable[[str], None]) -> Iterator[Callable[[str], None]]:
    """Yield a function that shows what a command does; while nothing is shown by it, the seconds are.

    Args:
        program: the program and the command, for people.
        show: shows a line in place of the one before; "" wipes it.
    """
    begin, shown = time.monotonic(), ""

    def progress(doing: str) -> None:
        nonlocal shown
        shown = doing
        show(doing)

    def tell(*_: object) -> None:
        if not shown:
            show(f"{program}: at work, {time.monotonic() - begin:.0f} s")

    if not hasattr(signal, "setitimer"):
        yield progress
        return
    before = signal.signal(signal.SIGALRM, tell)
    signal.setitimer(signal.ITIMER_REAL, _LONG, _AGAIN)
    try:
        yield progress
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if time.monotonic() - begin >= _LONG:
            show("")

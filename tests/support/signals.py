"""Signals as a program in the foreground has them, however the tests were started.

A program hands down which signals are ignored or blocked. A job in the background, `nohup` and some CI runners ignore
SIGINT or SIGHUP, and so would everything that a test starts.
"""

from __future__ import annotations

import signal
from contextlib import contextmanager

_INHERITED = ("SIGINT", "SIGHUP", "SIGTERM", "SIGQUIT")


@contextmanager
def in_the_foreground():
    """Give processes that are started meanwhile the signals of a program in the foreground; this one has them too."""
    numbers = [getattr(signal, name) for name in _INHERITED if hasattr(signal, name)]
    mask = signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number in numbers:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def ignored(number):
    """Ignore a signal, as do processes that are started meanwhile."""
    before = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(number, before)

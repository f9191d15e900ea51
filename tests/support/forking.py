"""Forks of the process that runs tests."""

from __future__ import annotations

import os
import warnings


def fork():
    """Return as `os.fork` does, without the warning of Python 3.12 that this process has several threads.

    A worker of pytest-xdist has one that waits for messages. The child ends by `os._exit`, and sends and awaits none.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        return os.fork()

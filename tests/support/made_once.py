"""Files that are made once for all processes of a test run."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager


def shared_folder(tmp_path_factory):
    """Return the temporary folder that the processes of a test run have in common."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


@contextmanager
def made_once(tmp_path_factory, name):
    """Yield a path, and whether another process has made it already; the block holds a lock on it."""
    folder = shared_folder(tmp_path_factory)
    ready = folder / f"{name}.ready"
    with open(folder / f"{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder / name, ready.exists()
        ready.touch()

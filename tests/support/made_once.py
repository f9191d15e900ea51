"""What is made once for all processes of a test run."""

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
    """Give a path, and whether what is to be there has been made; until the end of the block nobody else makes it."""
    folder = shared_folder(tmp_path_factory)
    ready = folder / f"{name}.ready"
    with open(folder / f"{name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder / name, ready.exists()
        ready.touch()

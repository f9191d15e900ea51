"""The folder of the standard library, in which Python processes are started.

`multiprocessing` starts processes by `python -c`, which imports from the current folder first. That may be the folder
of an untrusted change, with a `socket.py`.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def inside_library_folder() -> Iterator[None]:
    """Change to the folder of the standard library until the context is left."""
    here = os.open(os.curdir, os.O_RDONLY)
    try:
        os.chdir(os.path.dirname(os.__file__))
        yield
    finally:
        os.fchdir(here)
        os.close(here)

"""Temporary folders: deleted after use, even if a signal ends this program; after SIGKILL, by the next program."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress

from opspec_lint.kit.errors import Terminated

try:
    import fcntl
except ImportError:  # Windows, where a folder with open files cannot be deleted
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import FrameType

PREFIX = "opspec-lint-run-"
"""The prefix of the names of these folders, and of no others."""
_SIGNALS = ("SIGTERM", "SIGHUP")


@contextmanager
def folder() -> Iterator[Path]:
    """Yield an empty folder that no other user may read, and delete it afterwards.

    It is locked meanwhile, which distinguishes it from the folder of a killed program.

    Raises:
        Terminated: a signal asked this program to end.
        OSError: there is no place for temporary folders.
    """
    import tempfile
    from pathlib import Path

    with _signals_raised():
        sweep(tempfile.gettempdir())
        while True:
            with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as path, _lock(path) as is_held:
                if is_held:
                    yield Path(path)
                    return


def sweep(place: str) -> None:
    """Delete the folders in `place` that killed programs of this user have left."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(place) as directory:
        for entry in directory:
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                _delete_unlocked(entry.path)


def _delete_unlocked(path: str) -> None:
    """Delete a folder of this user that no program has locked."""
    import shutil

    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            # The folder for temporary files is shared: only one's own folders may be deleted.
            if os.fstat(handle).st_uid == os.geteuid():
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
        finally:
            os.close(handle)


@contextmanager
def _lock(path: str) -> Iterator[bool]:
    """Lock a folder, and yield whether it still exists: another program may have deleted it before the lock."""
    if fcntl is None:
        yield True
        return
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield os.path.lexists(path)
    finally:
        os.close(handle)


@contextmanager
def _signals_raised() -> Iterator[None]:
    """Turn signals that would end this program at once into an exception."""
    import signal
    import threading

    def end(number: int, _: FrameType | None) -> None:
        raise Terminated(number)

    is_main = threading.current_thread() is threading.main_thread()
    known = [getattr(signal, name) for name in _SIGNALS if is_main and hasattr(signal, name)]
    # A handler that is not the default belongs to the program that uses us, or ignores the signal on purpose (nohup).
    changed = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in changed:
            signal.signal(number, end)
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)

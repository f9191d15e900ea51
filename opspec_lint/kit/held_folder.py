"""Folders that are held open, so that files are written in them even if the path to them changes meanwhile."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CAN_HOLD = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")


_TRAVERSE = getattr(os, "O_PATH", os.O_RDONLY)
"""The flag to open a folder that may be traversed, but not listed."""


class LinkError(OSError):
    """A symbolic link on the path to a file, or in its place."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.ELOOP, f"{path} is a symbolic link", path)


class Folder:
    """An open folder. `at(name)` and `handle` are the path and the `dir_fd` for an entry.

    `handle` is None if the system cannot hold folders open (Windows).
    """

    def __init__(self, path: str, handle: int | None) -> None:
        self.path, self.handle = path, handle

    def at(self, name: str) -> str:
        """Return the path of an entry, to be used together with `dir_fd=handle`."""
        return name if self.handle is not None else os.path.join(self.path, name)

    def status(self, name: str) -> os.stat_result | None:
        """Return the status of an entry, without following a link; None if it does not exist."""
        try:
            return os.stat(self.at(name), dir_fd=self.handle, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def below(self, name: str, *, makes: bool) -> Folder:
        """Open a folder in this one.

        Raises:
            LinkError: the name is a symbolic link.
            OSError: the folder cannot be opened, or created if it is missing and `makes`.
        """
        if makes:
            with suppress(FileExistsError):
                os.mkdir(self.at(name), dir_fd=self.handle)
        path = os.path.join(self.path, name)
        try:
            return Folder(
                path, None if self.handle is None else os.open(name, _flags(follow=False), dir_fd=self.handle)
            )
        except OSError as error:
            raise (LinkError(path) if os.path.islink(path) else error) from None

    def names(self) -> list[str]:
        """Return the names of all entries.

        Raises:
            OSError: the folder cannot be listed.
        """
        if self.handle is None:
            return os.listdir(self.path or ".")
        # The held descriptor may lack the right to list (O_PATH), so the folder is opened again through it.
        handle = os.open(".", os.O_RDONLY | os.O_DIRECTORY, dir_fd=self.handle)
        try:
            return os.listdir(handle)
        finally:
            os.close(handle)

    def close(self) -> None:
        """Close the folder."""
        if self.handle is not None:
            os.close(self.handle)


@contextmanager
def hold_folder(root: str, parts: Sequence[str] = (), *, makes: bool = False) -> Iterator[Folder]:
    """Hold open a folder below another one.

    Args:
        root: the folder whose own path may lead through links.
        parts: the names from there to the folder; none may be a link.
        makes: whether missing folders are created.

    Raises:
        LinkError: a name is a symbolic link.
        OSError: a folder cannot be opened or created.
    """
    if makes:
        with suppress(FileExistsError):  # a file in its place makes `os.open` fail
            os.makedirs(root or ".", exist_ok=True)
    folder = Folder(root, os.open(root or ".", _flags(follow=True)) if _CAN_HOLD else None)
    try:
        for name in parts:
            above, folder = folder, folder.below(name, makes=makes)
            above.close()
        yield folder
    finally:
        folder.close()


def _flags(*, follow: bool) -> int:
    return _TRAVERSE | os.O_DIRECTORY | (0 if follow else os.O_NOFOLLOW)

"""Access to the files of saved models in the current storage, with errors that name the cause.

All readers of models open files here, in the current storage (`models/storage.py`): the disk, an archive, a bucket, or
a recording.
"""

from __future__ import annotations

import os

from opspec_lint.kit import lfs_pointer
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.named_file import NotAFileError
from opspec_lint.models.storage import current_storage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, BinaryIO

MAX_BYTES = 2 << 30
"""The largest model file that is read whole, in bytes, as for a protobuf message; weights may be in other files."""

HEAD = 4096
"""Bytes at the beginning of a file that are enough to recognise its format."""


class NoModelError(InputError):
    """An error: there is no model file at the path."""


class UnknownKindError(InputError):
    """An error: the file is no saved model of a known format."""


class BrokenModelError(InputError):
    """An error: a part of the model that is decoded late is damaged."""


class LfsPointerError(InputError):
    """An error: the file is a pointer of git-lfs, and the model itself was not fetched."""


class OutsideError(InputError):
    """An error: a file of the model is outside the model's folder, and is therefore not read."""


def require_fetched(path: str, head: bytes) -> None:
    """Raise LfsPointerError if `head`, the first bytes of the file `path`, is a pointer of git-lfs."""
    if head.startswith(lfs_pointer.START):
        raise LfsPointerError(path, "is a pointer of git-lfs, not the model", advice="`git lfs pull` fetches the model")


def is_pointer(path: str) -> bool:
    """Return True if a file exists and is a pointer of git-lfs."""
    try:
        with open_file(path) as stream:
            return stream.read(len(lfs_pointer.START)) == lfs_pointer.START
    except OSError:
        return False


def is_file(path: str) -> bool:
    """Return True if a path is a file, links followed."""
    return _kind(path) == "file"


def is_folder(path: str) -> bool:
    """Return True if a path is a folder, links followed."""
    return _kind(path) == "folder"


def exists(path: str) -> bool:
    """Return True if a path exists, links followed."""
    return _kind(path) is not None


def _kind(path: str) -> str | None:
    """Return "file", "folder" or "other", or None if the path does not exist or cannot be examined."""
    try:
        return current_storage().status(path).kind
    except (OSError, ValueError):
        return None


def is_link(path: str) -> bool:
    """Return True if a path is a symbolic link."""
    return current_storage().is_link(path)


def file_size(path: str) -> int:
    """Return the size of a file in bytes. Raises OSError if it does not exist."""
    return current_storage().status(path).size


def names_in(folder: str) -> list[str]:
    """Return the names of the entries of a folder. Raises OSError if it cannot be listed."""
    return current_storage().names(folder)


def is_inside(path: str, folder: str) -> bool:
    """Return True if a path is in a folder, links followed."""
    real = current_storage().real_path
    return real(path).startswith(os.path.join(real(folder), ""))


def open_file(path: str, *, buffering: int = -1) -> BinaryIO:
    """Open a file of a model. Raises OSError if it cannot be opened, or is no file."""
    return current_storage().open(path, buffering=buffering)


def require_present(path: str) -> None:
    """Raise an error unless a file or folder exists at a path.

    Raises:
        NoModelError: nothing exists there.
        InputError: it is neither a file nor a folder, or cannot be examined.
    """
    try:
        if current_storage().status(path).kind == "other":
            raise NotAFileError
    except FileNotFoundError:
        problem = "is a link to nothing" if is_link(path) else "there is no such file or folder"
        raise NoModelError(path, problem, advice="check the path") from None
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None


_ADVICE: dict[type[Exception], str] = {
    NotAFileError: "save the model as a file",
    IsADirectoryError: "name the file, not its folder",
    PermissionError: "check its permissions",
}


def cannot_read(path: str, error: OSError | ValueError) -> InputError:
    """Return the error for a file that the system does not open or read."""
    if isinstance(error, FileNotFoundError):
        return NoModelError(path, "there is no such file", advice="check the path")
    reason = getattr(error, "strerror", None) or str(error)
    advice = next((text for kind, text in _ADVICE.items() if isinstance(error, kind)), "check the path")
    return InputError(path, f"cannot be read: {reason}", advice=advice)


def stream_size(stream: IO[bytes]) -> int:
    """Return the size of an open file in bytes, and move to its beginning."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    return size


def checked_size(stream: IO[bytes], path: str) -> int:
    """Return the size of an open model file in bytes. Raises InputError if it exceeds MAX_BYTES."""
    size = stream_size(stream)
    if size > MAX_BYTES:
        raise InputError(path, f"is larger than {MAX_BYTES >> 30} GiB, the limit for a graph")
    return size


def read_file(path: str) -> bytes:
    """Return the bytes of a model file.

    Raises:
        NoModelError: there is no such file.
        LfsPointerError: the file is a pointer of git-lfs.
        InputError: the file cannot be read, or is larger than any such file can be.
    """
    try:
        with open_file(path) as stream:
            data = stream.read(checked_size(stream, path))  # room is made for all that is asked for
    except OSError as error:
        raise cannot_read(path, error) from None
    require_fetched(path, data)
    return data


def view_file(path: str) -> memoryview:
    """Return a memory map of a file, so that weights in it are not read unless they are accessed.

    Raises:
        NoModelError: there is no such file.
        InputError: the file cannot be read.
    """
    try:
        return current_storage().view(path)
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None

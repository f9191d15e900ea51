"""The files of saved models: how they are opened and read, and what is wrong where one cannot be."""

from __future__ import annotations

import os

from opspec_lint.kit import lfs_pointer
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.named_file import NotAFileError
from opspec_lint.models.storage import in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, BinaryIO

MAX_BYTES = 2 << 30
"""Bytes of a model file that is read whole: no protobuf message may have more. Weights apart are not read at all."""

HEAD = 4096
"""Bytes by which the kind of a file is told."""


class NoModelError(InputError):
    """There is no model file where one should be."""


class UnknownKindError(InputError):
    """The file is no saved model of a kind that is known."""


class BrokenModelError(InputError):
    """The file cannot be decoded, which was seen when the part was looked at that is damaged."""


class LfsPointerError(InputError):
    """The file is a pointer of git-lfs: the model itself was not fetched."""


class OutsideError(InputError):
    """A file of the model lies outside the model's folder, and is not read."""


def require_fetched(path: str, head: bytes) -> None:
    """Refuse the pointer that git-lfs leaves in the place of a file that was not fetched.

    Args:
        path: the file.
        head: its first bytes.

    Raises:
        LfsPointerError: the file is such a pointer.
    """
    if head.startswith(lfs_pointer.START):
        raise LfsPointerError(path, "is a pointer of git-lfs, not the model", advice="`git lfs pull` fetches the model")


def is_pointer(path: str) -> bool:
    """Tell whether a file is there, and is a pointer of git-lfs."""
    try:
        with open_file(path) as stream:
            return stream.read(len(lfs_pointer.START)) == lfs_pointer.START
    except OSError:
        return False


def is_file(path: str) -> bool:
    """Tell whether a path is a file, links followed."""
    return _kind(path) == "file"


def is_folder(path: str) -> bool:
    """Tell whether a path is a folder, links followed."""
    return _kind(path) == "folder"


def exists(path: str) -> bool:
    """Tell whether anything stands at a path, links followed."""
    return _kind(path) is not None


def _kind(path: str) -> str | None:
    try:
        return in_force().about(path).kind
    except (OSError, ValueError):
        return None


def is_link(path: str) -> bool:
    """Tell whether a path is a symbolic link."""
    return in_force().is_link(path)


def file_size(path: str) -> int:
    """Return how many bytes a file has.

    Raises:
        OSError: there is no such file.
    """
    return in_force().about(path).size


def names_in(folder: str) -> list[str]:
    """Return the names of what a folder holds.

    Raises:
        OSError: the folder cannot be listed.
    """
    return in_force().names(folder)


def is_inside(path: str, folder: str) -> bool:
    """Tell whether a path lies in a folder, links followed."""
    real = in_force().real_path
    return real(path).startswith(os.path.join(real(folder), ""))


def open_file(path: str, *, buffering: int = -1) -> BinaryIO:
    """Open a file that belongs to a model.

    Raises:
        OSError: the path cannot be opened, or is no file.
    """
    return in_force().open(path, buffering=buffering)


def require_present(path: str) -> None:
    """Refuse a path where there is neither a file nor a folder.

    Raises:
        NoModelError: there is nothing.
        InputError: there is something else, or the system does not tell.
    """
    try:
        if in_force().about(path).kind == "other":
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
    advice = next((said for kind, said in _ADVICE.items() if isinstance(error, kind)), "check the path")
    return InputError(path, f"cannot be read: {reason}", advice=advice)


def end_of(stream: IO[bytes]) -> int:
    """Return how many bytes an open file has, and stand at its begin."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    return size


def size_of(stream: IO[bytes], path: str) -> int:
    """Return how many bytes an open model file has.

    Raises:
        InputError: the file is larger than any such file can be.
    """
    size = end_of(stream)
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
            data = stream.read(size_of(stream, path))  # room is made for all that is asked for
    except OSError as error:
        raise cannot_read(path, error) from None
    require_fetched(path, data)
    return data


def view_file(path: str) -> memoryview:
    """Return the bytes of a file where they are; of weights that lie in it, nothing is read.

    Raises:
        NoModelError: there is no such file.
        InputError: the file cannot be read.
    """
    try:
        return in_force().view(path)
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None

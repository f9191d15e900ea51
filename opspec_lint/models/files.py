"""The files of saved models: how they are opened and read, and what is wrong where one cannot be."""

from __future__ import annotations

import os
import stat

from opspec_lint.kit import lfs_pointer
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.named_file import NotAFileError

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


def open_file(path: str, *, buffering: int = -1) -> BinaryIO:
    """Open a file that belongs to a model.

    A pipe is not waited for, and nothing is read of a device, which may have no end.

    Raises:
        OSError: the path cannot be opened, or is no file.
    """
    return open(path, "rb", buffering=buffering, opener=_open_at_once)


def _open_at_once(path: str, flags: int) -> int:
    _require_file_or_folder(path)  # open() itself refuses a folder
    return os.open(path, flags)


def _require_file_or_folder(path: str) -> None:
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise NotAFileError


def require_present(path: str) -> None:
    """Refuse a path where there is neither a file nor a folder.

    Raises:
        NoModelError: there is nothing.
        InputError: there is something else, or the system does not tell.
    """
    try:
        _require_file_or_folder(path)
    except FileNotFoundError:
        is_link = os.path.islink(path)
        problem = "is a link to nothing" if is_link else "there is no such file or folder"
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


def size_of(stream: IO[bytes], path: str) -> int:
    """Return how many bytes an open model file has.

    Raises:
        InputError: the file is larger than any such file can be.
    """
    size = os.fstat(stream.fileno()).st_size
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
    import mmap

    try:
        with open_file(path) as stream:
            if not os.fstat(stream.fileno()).st_size:
                return memoryview(b"")
            return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise cannot_read(path, error) from None

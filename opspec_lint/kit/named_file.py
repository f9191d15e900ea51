"""Reader of files that the command line names: specs, a configuration, waivers, reviews."""

from __future__ import annotations

import codecs
import errno
import os
import stat

from opspec_lint.kit.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedReader
    from typing import BinaryIO

MAX_BYTES = 64 * 1024 * 1024
_BLOCK = 1 << 16
"""Bytes that are read of a character device, to see whether it has any."""
_PORTION = 1 << 20
_OPEN_FILES = "/dev/fd"
"""The folder of the open files of this process."""


class NotAFileError(OSError):
    """A pipe, a socket or a device in place of a file."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, "it is a pipe, a socket or a device")


def open_named(path: str) -> BufferedReader:
    """Open a file. A named pipe is refused; an inherited pipe, such as `/dev/stdin`, is read.

    Raises:
        NotAFileError: the path leads to a pipe, a socket or a block device.
        OSError: the file cannot be opened.
    """
    return open(path, "rb", opener=_open_without_waiting)


def read_bounded(stream: BinaryIO, most: int) -> bytes:
    """Return the content of a stream, or a little more than `most` bytes of a longer one.

    Memory is taken for the bytes that arrive, not for the size that the stream states.

    A pipe may have no end: it is read no further if its first portion begins no known kind of file.

    Raises:
        NotAFileError: the stream is a character device with data, such as /dev/zero, which may have no end. A terminal
            is read.
    """
    status = os.fstat(stream.fileno())
    if stat.S_ISCHR(status.st_mode) and not stream.isatty():
        if stream.read(_BLOCK):
            raise NotAFileError
        return b""
    # Files in /proc have the size 0, and pipes as well; both are read in portions.
    if 0 < status.st_size <= most:
        return stream.read()
    data = bytearray(stream.read(_PORTION))
    if not _may_begin_file(data):
        return bytes(data)
    while len(data) <= most and (portion := stream.read(_PORTION)):
        data += portion
    return bytes(data)


def _may_begin_file(portion: bytearray) -> bool:
    """Return whether bytes begin a text in UTF-8, or an op list: a protobuf message whose first field is a message."""
    if portion[:1] == b"\n":
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(portion)
    except UnicodeDecodeError:
        return False
    return b"\0" not in portion


def read_named_file(path: str, what: str, advice: str) -> bytes:
    """Return the bytes of a file.

    Args:
        path: the file.
        what: the kind of file for messages, such as "list of reviews".
        advice: the advice if it cannot be read.

    Raises:
        UsageError: the file cannot be read, or is larger than 64 MiB.
    """
    try:
        with open_named(path) as stream:
            data = read_bounded(stream, MAX_BYTES)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", advice=advice) from None
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path}: is larger than {MAX_BYTES >> 20} MiB, the limit for a {what}")
    return data


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file or an inherited pipe. Raises NotAFileError for any other pipe, a device or a socket."""
    # Without O_NONBLOCK, opening a named pipe waits for a writer, perhaps forever.
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    status = os.fstat(handle)
    is_pipe = stat.S_ISFIFO(status.st_mode)
    if stat.S_ISBLK(status.st_mode) or stat.S_ISSOCK(status.st_mode) or (is_pipe and not _is_inherited(handle, status)):
        os.close(handle)
        raise NotAFileError
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(handle, True)
    return handle


def _is_inherited(handle: int, status: os.stat_result) -> bool:
    """Return whether a pipe is inherited: standard input, or the pipe of a shell's `<(...)`."""
    return any(_is_open_as(int(name), status) for name in os.listdir(_OPEN_FILES) if int(name) != handle)


def _is_open_as(handle: int, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), status)
    except OSError:  # the descriptor with which `os.listdir` read the folder
        return False

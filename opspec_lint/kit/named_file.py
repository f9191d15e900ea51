"""Opens and reads files that the command line names: specs, a configuration, waivers, reviews."""

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
_PORTION = 1 << 20
_OPEN_FILES = "/dev/fd"


class NotAFileError(OSError):
    """What is to be read is a pipe, a socket or a device."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, "it is a pipe, a socket or a device")


def open_named(path: str) -> BufferedReader:
    """Open a file. A named pipe is not waited for; a pipe that this program was given, such as `/dev/stdin`, is read.

    Raises:
        NotAFileError: the path leads to a pipe, a socket or a disk.
        OSError: the file cannot be opened.
    """
    return open(path, "rb", opener=_open_at_once)


def read_bounded(stream: BinaryIO, most: int) -> bytes:
    """Return the content of a stream, or a little more than `most` bytes; no more memory is set aside than it takes.

    A pipe may have no end: one whose first portion begins none of the files that are read is read no further.

    Raises:
        NotAFileError: the stream is a device with data of its own, which may have no end, and no terminal.
    """
    about = os.fstat(stream.fileno())
    if stat.S_ISCHR(about.st_mode) and not stream.isatty():
        if stream.read(_BLOCK):
            raise NotAFileError
        return b""
    if 0 < about.st_size <= most:
        return stream.read()
    data = bytearray(stream.read(_PORTION))
    if not _may_begin_file(data):
        return bytes(data)
    while len(data) <= most and (portion := stream.read(_PORTION)):
        data += portion
    return bytes(data)


def _may_begin_file(portion: bytearray) -> bool:
    """Tell whether bytes begin a text in UTF-8, or a message of protobuf whose first field is a message, an op list."""
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
        what: what the file should be, for messages, such as "list of reviews".
        advice: what to do if it cannot be read.

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


def _open_at_once(path: str, flags: int) -> int:
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    about = os.fstat(handle)
    is_pipe = stat.S_ISFIFO(about.st_mode)
    if stat.S_ISBLK(about.st_mode) or stat.S_ISSOCK(about.st_mode) or (is_pipe and not _was_given(handle, about)):
        os.close(handle)
        raise NotAFileError
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(handle, True)
    return handle


def _was_given(handle: int, about: os.stat_result) -> bool:
    """Tell whether a pipe is one that this program has open besides: standard input, or that of a shell's `<(...)`."""
    return any(_is_open_as(int(name), about) for name in os.listdir(_OPEN_FILES) if int(name) != handle)


def _is_open_as(handle: int, about: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), about)
    except OSError:  # the one that they were listed with
        return False

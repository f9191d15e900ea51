"""Reads a file that the command line names beside the specs: a configuration, waivers, reviews."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError

MAX_BYTES = 64 * 1024 * 1024


def read_named_file(path: str, what: str, advice: str) -> bytes:
    """Return the bytes of a file.

    Args:
        path: the file.
        what: what the file should be, for messages, such as "list of reviews".
        advice: what to do if it cannot be read.

    Raises:
        UsageError: it cannot be read, or is larger than 64 MiB.
    """
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", advice=advice) from None
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path}: is larger than {MAX_BYTES >> 20} MiB, the limit for a {what}")
    return data

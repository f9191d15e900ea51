"""From the bytes of a file to a decoded document: JSON or YAML, told apart by how the text begins."""

from __future__ import annotations

import os

from opspec_lint.errors import InputError
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 512 * 1024 * 1024


class Document(Record):
    """A decoded file.

    `text` is the JSON text whose keys are still to be looked at for duplicates, and None for YAML, where that is done.
    """

    file: str
    value: Any
    text: str | None = None

    def check_unique_keys(self, keys: int) -> None:
        """Make sure that no key was lost; `keys` is how many the decoded value holds.

        Raises:
            InputError: a key stands twice in one object.
        """
        if self.text is not None:
            from opspec_lint import jsontext

            jsontext.check_unique_keys(self.text, self.file, keys)


def read(path: str) -> Document:
    """Read and decode a file.

    Raises:
        InputError: the file cannot be read, or is neither JSON nor YAML.
    """
    try:
        with open(path, "rb") as stream:
            # A regular file tells its size; only what does not is read with a bound, which sets so much memory aside.
            size = os.fstat(stream.fileno()).st_size
            data = stream.read() if 0 < size <= MAX_BYTES else stream.read(MAX_BYTES + 1)
    except IsADirectoryError:
        raise InputError(path, "is a directory; expected a spec file", advice="name the file in it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(path, f"cannot be read: {reason}", advice="check the name and its permissions") from None
    if len(data) > MAX_BYTES:
        raise InputError(
            path, f"is larger than {MAX_BYTES >> 20} MiB, which no spec is", advice="is it the right file?"
        )
    return decode(data, path)


def decode(data: bytes, file: str) -> Document:
    """Decode the bytes of a file.

    Raises:
        InputError: the bytes are no text, or neither JSON nor YAML.
    """
    text = _text(data, file)
    if text.lstrip(" \t\r\n")[:1] in ("{", "["):
        from opspec_lint import jsontext

        return Document(file=file, value=jsontext.loads(text, file), text=text)
    from opspec_lint import yamltext

    return Document(file=file, value=yamltext.loads(text, file))


def _text(data: bytes, file: str) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(
            file, "is UTF-16 text; expected UTF-8", advice="in PowerShell, write it with `| Out-File -Encoding utf8`"
        )
    if not data.strip():
        raise InputError(file, "is empty; expected a spec", advice="did the command that wrote it fail?")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            file,
            f"is not UTF-8 text: byte 0x{data[error.start]:02x} at offset {error.start}",
            advice="expected a spec file in JSON or YAML",
        ) from None
    if "\0" in text:
        raise InputError(file, "is binary; expected a spec in JSON or YAML", advice="is it the right file?")
    return text.removeprefix("\ufeff")

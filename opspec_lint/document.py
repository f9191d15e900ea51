"""From the bytes of a file to a decoded document: JSON or YAML, told apart by how the text begins."""

from __future__ import annotations

import os

from opspec_lint.errors import InputError
from opspec_lint.record import Record
from opspec_lint.values import MAX_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedReader
    from typing import Any

_SPACE = " \t\r\n"


class Document(Record):
    """A decoded file.

    `text` is the JSON text whose keys are still to be looked at for duplicates, and None for YAML, where that is done.
    """

    file: str
    value: Any
    text: str | None = None

    def keys_that_stand_twice(self) -> list[tuple[str | int, ...]]:
        """Return the path of every key that stands twice in one object."""
        if self.text is None:
            return []
        from opspec_lint import jsontext

        return jsontext.duplicates(self.text)

    def refuse_repeated_keys(self) -> None:
        """Make sure that no key stands twice, where how many there are is not known.

        Raises:
            InputError: a key stands twice in one object.
        """
        for path in self.keys_that_stand_twice():
            from opspec_lint import jsontext

            raise jsontext.twice(self.file, path)

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
            data = _read_bounded(stream)
    except IsADirectoryError:
        raise InputError(path, "is a directory; expected a spec file", advice="name the file in it") from None
    except MemoryError:
        raise InputError(path, "takes more memory than there is", advice="is it the right file?") from None
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
    try:
        return _decode(_text(data, file), file)
    except MemoryError:
        raise InputError(
            file, "takes more memory than there is", advice="is it the right file, or the limit too low?"
        ) from None


def _decode(text: str, file: str) -> Document:
    if _looks_like_json(text):
        from opspec_lint import jsontext

        return Document(file=file, value=jsontext.loads(text, file), text=text)
    from opspec_lint import yamltext

    return Document(file=file, value=yamltext.loads(text, file))


def _looks_like_json(text: str) -> bool:
    """Tell how a text begins. YAML in flow style, `{relu: ...}`, has no quote behind the brace."""
    begin = text.lstrip(_SPACE)
    return begin[:1] == "[" or (begin[:1] == "{" and begin[1:].lstrip(_SPACE)[:1] in ('"', "}", ""))


def _read_bounded(stream: BufferedReader) -> bytes:
    """Return what a stream holds, or a little more than MAX_BYTES of it; no more memory is set aside than it takes."""
    size = os.fstat(stream.fileno()).st_size
    if 0 < size <= MAX_BYTES:
        return stream.read()
    data = bytearray()
    while len(data) <= MAX_BYTES and (chunk := stream.read(1 << 20)):
        data += chunk
    return bytes(data)


def _text(data: bytes, file: str) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(
            file, "is UTF-16 text; expected UTF-8", advice="in PowerShell, write it with `| Out-File -Encoding utf8`"
        )
    if not data or data.isspace():
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

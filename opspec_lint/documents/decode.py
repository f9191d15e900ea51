"""Decoder of files, from bytes to a document: JSON or YAML, distinguished by the beginning of the text."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.limits import MAX_BYTES, too_large
from opspec_lint.kit.named_file import open_named, read_bounded
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.documents.memo import Memo

_JSON = pattern(r'[ \t\r\n]*(?:\[|\{[ \t\r\n]*(?:["}]|\Z))')
"""The beginning of a JSON text. YAML in flow style, `{relu: ...}`, has no quote after the brace."""


class Document(Record):
    """A decoded file.

    `text` is the text of JSON, whose keys are not yet checked for duplicates; None for any other file. `yaml` is the
    text of YAML, whose keys are checked. `memo` is the memo that decoded it.
    """

    file: str
    value: Any
    text: str | None = None
    yaml: str | None = None
    memo: Memo | None = None

    @property
    def is_yaml(self) -> bool:
        """True if the file is YAML."""
        return self.yaml is not None

    @property
    def written(self) -> str | None:
        """The text of JSON or YAML; None for any other file."""
        return self.yaml if self.text is None else self.text

    def duplicate_keys(self) -> list[tuple[str | int, ...]]:
        """Return the path of every key that occurs twice in one object."""
        if self.text is None:
            return []
        from opspec_lint.documents import json_text

        return json_text.find_duplicates(self.text, self.value)

    def refuse_repeated_keys(self) -> None:
        """Raise an error if a key occurs twice in one object.

        Raises:
            InputError: a key occurs twice in one object.
        """
        for path in self.duplicate_keys():
            from opspec_lint.documents import json_text

            raise json_text.duplicate_key_error(self.file, path)

    def check_unique_keys(self, keys: int) -> None:
        """Raise an error if a key occurs twice in one object; `keys` is the number of keys in the decoded value.

        Decoding keeps the last of two equal keys, so the decoded value has fewer keys than the text.

        Raises:
            InputError: a key occurs twice in one object.
        """
        # The text of base and head is often the same, and was checked for base.
        if self.text is None or (self.memo is not None and self.text == self.memo.sound):
            return
        # Decoding with a memo counted the keys of the text, except in parts that it knew: as many are in the value.
        if self.memo is None or self.memo.written_keys != (self.text, keys):
            from opspec_lint.documents import json_text

            json_text.check_unique_keys(self.text, self.file, keys)
        if self.memo is not None:
            self.memo.sound = self.text


def read_document(path: str, memo: Memo | None = None) -> Document:
    """Read and decode a file.

    Args:
        path: the file.
        memo: decoded parts of another file that may have much in common with it.

    Raises:
        InputError: the file cannot be read, or is neither JSON nor YAML.
    """
    return decode(read_bytes(path), path, memo)


def read_bytes(path: str) -> bytes:
    """Return the bytes of a file.

    Raises:
        InputError: the file cannot be read, or is larger than any spec.
    """
    try:
        with open_named(path) as stream:
            data = read_bounded(stream, MAX_BYTES)
    except IsADirectoryError:
        raise InputError(path, "is a directory; expected a spec file", advice="name the file in it") from None
    except MemoryError:
        raise InputError(path, "does not fit into memory", advice="check that it is the right file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(path, f"cannot be read: {reason}", advice="check the name and its permissions") from None
    if len(data) > MAX_BYTES:
        raise too_large(path, "check that it is the right file")
    return data


def decode(data: bytes, file: str, memo: Memo | None = None) -> Document:
    """Decode the bytes of a file.

    Args:
        data: the bytes.
        file: the name of the file in messages.
        memo: decoded parts of another file that may have much in common with it.

    Raises:
        InputError: the bytes are no text, or neither JSON nor YAML.
    """
    try:
        return _decode(data, file, memo)
    except MemoryError:
        raise InputError(
            file, "does not fit into memory", advice="check that it is the right file, or raise the memory limit"
        ) from None


def _decode(data: bytes, file: str, memo: Memo | None) -> Document:
    """Return the document in bytes, decoded as the beginning of its text looks."""
    text = text_of(data, file)
    if looks_like_json(text):
        from opspec_lint.documents import json_text

        return Document(file=file, value=json_text.loads(text, file, memo), text=text, memo=memo)
    from opspec_lint.documents import yaml_text

    return Document(file=file, value=yaml_text.loads(text, file), yaml=text)


def looks_like_json(text: str) -> bool:
    """Return whether a text begins like JSON, as opposed to YAML."""
    return _JSON.match(text) is not None


def text_of(data: bytes, file: str) -> str:
    """Return bytes as text, without a byte order mark.

    Raises:
        InputError: the bytes are no UTF-8 text, or only white space.
    """
    # Windows PowerShell writes UTF-16 when output is redirected.
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError(
            file, "is UTF-16 text; expected UTF-8", advice="in PowerShell, write it with `| Out-File -Encoding utf8`"
        )
    if not data or data.isspace():
        raise InputError(file, "is empty; expected a spec", advice="check whether the command that wrote it failed")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            file,
            f"is not UTF-8 text: byte 0x{data[error.start]:02x} at offset {error.start}",
            advice="expected a spec file in JSON or YAML",
        ) from None
    # NUL is valid UTF-8, so that the decoder accepts some binary files.
    if "\0" in text:
        raise InputError(file, "is binary; expected a spec in JSON or YAML", advice="check that it is the right file")
    # `json.loads` refuses a text that begins with a byte order mark.
    return text.removeprefix("\ufeff")

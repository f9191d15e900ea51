"""Reader of spec files, which recognises the format of a file by its content.

Each format returns the likeness of a decoded document (`sources/format.py`), and the format with the greatest one reads
it.
"""

from __future__ import annotations

import os
from itertools import chain

from opspec_lint.documents import file_context as file_contexts
from opspec_lint.documents.decode import Document, decode, read_bytes
from opspec_lint.documents.file_context import NO_FILES
from opspec_lint.kit.errors import InputError
from opspec_lint.sources.format import FORMATS, HEAD, SURELY, Raw, all_formats, formats_of_plugins, is_binary
from opspec_lint.sources.loaded import Loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from opspec_lint.documents.file_context import FileContext
    from opspec_lint.documents.memo import Memo
    from opspec_lint.sources.format import Format
    from opspec_lint.spec.model import Spec

_BEGIN = 64
DATA_ENDINGS = (".json", ".yaml", ".yml")
_BLANK = b"\xef\xbb\xbf \t\r\n"
"""Bytes that may precede a document: a byte order mark, and white space."""


def read(path: str, memo: Memo | None = None, include: tuple[str, ...] = ()) -> Loaded:
    """Return the spec in a file of any format, or in a folder of files that form one spec.

    Args:
        path: the file or folder.
        memo: decoded parts of another file that may have much in common with it.
        include: the folders that are searched for included files.

    Raises:
        InputError: the file cannot be read, or contains no spec; the message names the first fault.
    """
    opened = None if is_text(path) else _open_with_formats(path)
    if opened is None and os.path.isdir(path):
        opened = spec_of_folder(path, [os.path.join(path, name) for name in _entries(path)], read_bytes)
    if opened is not None:
        return Loaded(spec=opened, path=path, is_file=True)
    loaded_spec = load_spec(read_document(path, memo, include), path).replace(is_file=True)
    return loaded_spec if os.path.isfile(path) else loaded_spec.replace(text=None)  # a pipe has no lines


def load_spec(document: Document, path: str) -> Loaded:
    """Return the spec in a decoded document, with the path of its file.

    Raises:
        InputError: the document contains no spec; the message names the first fault.
    """
    return Loaded(spec=spec_of(document), path=path, text=document.written)


def spec_of_folder(folder: str, files: Iterable[str], read: Callable[[str], bytes]) -> Spec | None:
    """Return the spec that the files of a folder form together, or None.

    Args:
        folder: the folder.
        files: paths of the files in the folder, and perhaps of others.
        read: returns the content of a file.

    Raises:
        InputError: a file has another format than the others.
    """
    # A file system lists files in any order, and git in its own: the spec must not depend on it.
    inside = sorted(file for file in files if os.path.dirname(file) == folder.rstrip("/"))
    for file_format in all_formats():
        suffix = file_format.folder_suffix
        chosen = [file for file in inside if suffix and file.endswith(suffix)]
        if chosen and file_format.load_folder is not None:
            return file_format.load_folder([document_of(read(file), file) for file in chosen], folder)
    return None


def is_text(path: str) -> bool:
    """Return whether a path is read as text: a file by its name or beginning; a pipe always, as it can be read once."""
    if path.endswith(DATA_ENDINGS):
        return True
    if not os.path.isfile(path):
        return not os.path.isdir(path)
    try:
        with open(path, "rb") as stream:
            return not is_binary(stream.read(HEAD))
    except OSError:
        return True


def _open_with_formats(path: str) -> Spec | None:
    """Return the spec of a path that is no document, None if no format recognises it."""
    if os.path.exists(path):
        for file_format in all_formats():
            if file_format.open is not None and (opened := file_format.open(path)) is not None:
                return opened
    return None


def read_document(path: str, memo: Memo | None = None, include: tuple[str, ...] = ()) -> Document:
    """Read and decode a file that may be a spec in any format.

    Args:
        path: the file.
        memo: what was decoded of another file that may have much in common with it.
        include: the folders in which files are looked for that it includes.

    Raises:
        InputError: the file cannot be read, or is neither JSON nor YAML nor of a format that claims its bytes.
    """
    return document_of(read_bytes(path), path, memo, lambda: file_contexts.context_of_file(path, include))


def document_of(
    data: bytes, file: str, memo: Memo | None = None, file_context: Callable[[], FileContext] | None = None
) -> Document:
    """Decode the bytes of a file that may be a spec in any format.

    Args:
        data: the bytes.
        file: the name of the file in messages.
        memo: what was decoded of another file that may have much in common with it.
        file_context: returns the files that it may include.

    Raises:
        InputError: the bytes are neither JSON nor YAML, and no format claims them.
    """
    # A file that begins like JSON and is named so has no other format, and needs no look at each of them.
    is_json = data[:_BEGIN].lstrip(_BLANK).startswith((b"{", b"["))
    if not is_json or not file.endswith(DATA_ENDINGS):
        # Plug-ins come last, as asking them imports their packages; for most files a built-in format answers first.
        for file_format in chain(all_formats(), () if is_json or file.endswith(DATA_ENDINGS) else formats_of_plugins()):
            if file_format.has(data, file, is_json=is_json):
                own = _named_format_of_plugin(file_format, file) or file_format
                around = NO_FILES if file_context is None else file_context()
                return Document(file=file, value=Raw(data=data, format=own, around=around))
    return decode(data, file, memo)


def _named_format_of_plugin(claiming: Format, file: str) -> Format | None:
    """Return the plug-in's format that a file is named for, if the format that claims its bytes may be wrong."""
    ending = os.path.splitext(file)[1]
    if not ending or not claiming.usual_endings or ending in claiming.usual_endings:
        return None
    return next((plugged for plugged in formats_of_plugins() if plugged.is_named(file)), None)


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError as error:
        problem = f"cannot be listed: {error.strerror}"
        raise InputError(folder, problem, advice="check its permissions") from None


def spec_of(decoded: Document) -> Spec:
    """Return the spec in a decoded document of any format.

    Raises:
        InputError: the document contains no spec; the message names the first fault.
    """
    file_format = recognise(decoded)
    # The validation counts the keys in passing, so that the search for duplicate keys needs no second pass.
    keys = file_format.count_keys(decoded.value, {} if decoded.memo is None else decoded.memo.counts)
    if keys is None:
        from opspec_lint.documents import schema

        advice = "`opspec-lint validate` lists every fault of the file"
        raise schema.first_error(file_format.faults(decoded.value, decoded.file), decoded.file, advice)
    decoded.check_unique_keys(keys)
    return file_format.load(decoded.value, decoded.file)


def recognise(decoded: Document) -> Format:
    """Return the format that is most likely for a decoded document; convert its numbers as that format requires.

    Raises:
        InputError: the document resembles no format.
    """
    if isinstance(decoded.value, Raw):
        return decoded.value.format
    best: Format | None = None
    greatest = 0
    for file_format in all_formats():
        likeness = file_format.likeness_of(decoded.value)
        if likeness > greatest:
            greatest, best = likeness, file_format
        if likeness == SURELY:
            break
    # JSON itself distinguishes numbers from strings.
    if best is not None and decoded.is_yaml and best.convert_numbers is not None:
        best.convert_numbers(decoded.value)
    if best is None:
        from opspec_lint.documents import schema

        known = "; ".join(file_format.summary for file_format in all_formats())
        raise InputError(
            decoded.file,
            f"is not a spec: expected a mapping of ops, found {schema.describe(decoded.value)}",
            advice=". ".join(filter(None, (f"known formats: {known}", FORMATS.failure_hint()))),
        )
    return best

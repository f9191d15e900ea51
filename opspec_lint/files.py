"""Spec files: which format a file is in, decided by its content, and the spec that it holds."""

from __future__ import annotations

import os

from opspec_lint import catalogue, document
from opspec_lint.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Protocol

    from opspec_lint.document import Document
    from opspec_lint.model import Spec
    from opspec_lint.schema import Fault

    class Format(Protocol):
        """What a module of `formats` offers."""

        NAME: str
        SUMMARY: str

        def likeness(self, value: Any) -> int:
            """Tell how surely a decoded document is of this format: 0 not, 1 perhaps, 2 surely."""

        def count_keys(self, value: Any) -> int | None:
            """Return, fast, how many keys the objects of a document have, None where its schema finds a fault in it."""

        def faults(self, value: Any, file: str) -> Iterator[Fault]:
            """Yield every fault of a document that is like this format."""

        def load(self, value: Any, file: str) -> Spec:
            """Return the spec of a faultless document."""

        def load_folder(self, documents: list[Document], folder: str) -> Spec:
            """Return the spec of a folder; only of a format whose FOLDER is how the files of one end."""


_SURE = 2


def read_spec(path: str) -> Spec:
    """Return the spec that a file holds, in whichever format, or a folder of files that are one spec.

    Raises:
        InputError: the file cannot be read, or holds no spec; the message names the first fault.
    """
    if os.path.isdir(path):
        for name in catalogue.names("formats"):
            found: Format = catalogue.module("formats", name)
            suffix = getattr(found, "FOLDER", None)
            inside = sorted(each for each in _entries(path) if suffix and each.endswith(suffix))
            if inside:
                return found.load_folder([document.read(os.path.join(path, each)) for each in inside], path)
    return spec_of(document.read(path))


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError as error:
        problem = f"cannot be listed: {error.strerror}"
        raise InputError(folder, problem, advice="check its permissions") from None


def spec_of(decoded: Document) -> Spec:
    """Return the spec that a decoded document holds, in whichever format.

    Raises:
        InputError: it holds none; the message names the first fault.
    """
    found = recognise(decoded)
    keys = found.count_keys(decoded.value)
    if keys is None:
        from opspec_lint import schema

        advice = "`opspec-lint validate` lists every fault of the file"
        raise schema.first_error(found.faults(decoded.value, decoded.file), decoded.file, advice)
    decoded.check_unique_keys(keys)
    return found.load(decoded.value, decoded.file)


def recognise(decoded: Document) -> Format:
    """Return the format that a decoded document is most like.

    Raises:
        InputError: it is like none.
    """
    likeliest: tuple[int, Format | None] = 0, None
    for name in catalogue.names("formats"):
        module: Format = catalogue.module("formats", name)
        likeness = module.likeness(decoded.value)
        if likeness > likeliest[0]:
            likeliest = likeness, module
        if likeness == _SURE:
            break
    best = likeliest[1]
    if best is None:
        from opspec_lint import schema

        known = "; ".join(catalogue.module("formats", name).SUMMARY for name in catalogue.names("formats"))
        raise InputError(
            decoded.file,
            f"is no spec: expected a mapping of ops, found {schema.describe(decoded.value)}",
            advice=f"known formats: {known}",
        )
    return best

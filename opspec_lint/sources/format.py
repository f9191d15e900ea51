"""A file format of specs: a module of `sources/formats/`, or of a framework's own, with a `FORMAT`."""

from __future__ import annotations

import re

from opspec_lint.documents.file_context import NO_FILES
from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.errors import InputError, PluginError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    from opspec_lint.documents.decode import Document
    from opspec_lint.documents.file_context import FileContext
    from opspec_lint.documents.schema import FileFault
    from opspec_lint.spec.model import Spec

    _T = TypeVar("_T")

FORMATS: Catalogue[Format] = Catalogue(
    "sources/formats",
    "frameworks/*/formats",
    offers="FORMAT",
    results={
        "load": "Spec",
        "load_folder": "Spec",
        "dumps": "str",
        "all_faults": "Iterator",
        **dict.fromkeys(("likeness", "claims", "count_keys", "convert_numbers", "open", "includes"), ""),
    },
)

SURELY = 2
"""The likeness of a document that is certainly of a format."""

HEAD = 4096
"""The number of bytes at the beginning of a file by which text is recognised."""
_NO_TEXT = rb"[\0-\x08\x0e-\x1f]"


def is_binary(data: bytes) -> bool:
    """Return whether bytes, such as the first ones of a file, are not text."""
    return re.search(_NO_TEXT, data) is not None


class Raw(Record):
    """The bytes of a file that is neither JSON nor YAML, its format, and the files that it may include."""

    data: bytes
    format: Format
    around: FileContext = NO_FILES


def _unlike(_: Any) -> int:
    return 0


def _includes_nothing(_: bytes) -> bool:
    return False


def _count_every_key(value: Any, _: Any = None) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_count_every_key, value.values()))
    return sum(map(_count_every_key, value)) if isinstance(value, list) else 0


class Format(Record):
    """A file format of specs.

    `summary` is a line for people. `load` returns the spec of a document, given the name of its file, and raises
    InputError for a fault.

    A document in JSON or YAML is recognised by `likeness`, which takes it decoded: 0 if it is not in this format, 1 if
    perhaps, or `SURELY`. Any other file is recognised by its bytes (`claims`), and `load` gets them as `Raw`. A format
    has either or both. A file whose name ends with `suffix` is in this format, whatever it contains. If `claims` can
    take other bytes for its own, `usual_endings` are the endings of its files: a file with another ending is first
    offered to a plug-in whose `suffix` it has.

    `count_keys` returns, fast, the number of keys in the objects of a document, None if the document does not fit its
    schema; its second argument has the counts of objects that are known to fit, by id. `all_faults` yields every fault,
    while `load` stops at the first. `open` returns the spec of a path that may not be a document, such as a saved
    model, and None for any other path. At a revision, where only single files can be read, `folder_files` are the files
    that represent their folder. `convert_numbers` converts strings that YAML 1.2 reads as numbers. A folder whose files
    end with `folder_suffix` is one spec; `load_folder` returns it, given its documents and the name of the folder.
    `dumps` returns the canonical text of a spec, None for a format without canonical text.

    `includes` returns whether the bytes of a file may include other files. `is_notation`: examples of rules are written
    in this format. `is_kept`: a repository keeps its specs in this format; from a saved model, a spec is only
    extracted.
    """

    name: str = ""
    summary: str
    load: Callable[[Any, str], Spec]
    likeness: Callable[[Any], int] = _unlike
    claims: Callable[[bytes], bool] | None = None
    suffix: str | None = None
    usual_endings: tuple[str, ...] = ()
    count_keys: Callable[[Any, dict[int, int]], int | None] = _count_every_key
    all_faults: Callable[[Any, str], Iterator[FileFault]] | None = None
    convert_numbers: Callable[[Any], None] | None = None
    open: Callable[[str], Spec | None] | None = None
    folder_files: tuple[str, ...] = ()
    folder_suffix: str | None = None
    load_folder: Callable[[list[Document], str], Spec] | None = None
    dumps: Callable[[Spec], str] | None = None
    includes: Callable[[bytes], bool] = _includes_nothing
    is_notation: bool = False
    is_kept: bool = True

    def has(self, data: bytes, file: str, *, is_json: bool) -> bool:
        """Return whether a file is in this format, and no JSON or YAML; `is_json`: its bytes begin like JSON."""
        if self.is_named(file):
            return True
        return not is_json and self.claims is not None and _or_none(self.claims, data) is True

    def is_named(self, file: str) -> bool:
        """Return whether the name of a file says that it is in this format."""
        return self.suffix is not None and file.endswith(self.suffix)

    def likeness_of(self, value: Any) -> int:
        """Return the likeness of a document, 0 if the function of a plug-in fails."""
        return _or_none(self.likeness, value) or 0

    def faults(self, value: Any, file: str) -> Iterator[FileFault]:
        """Yield the faults of a document."""
        if self.all_faults is not None:
            yield from self.all_faults(value, file)
            return
        from opspec_lint.documents.schema import FileFault

        try:
            self.load(value, file)
        except InputError as error:
            yield FileFault(where=error.where, problem=error.problem, advice=error.advice)


def _or_none(function: Callable[[Any], _T], value: Any) -> _T | None:
    """Return a result, None if the function of a plug-in fails: the file may be of a format that does not fail."""
    try:
        return function(value)
    except PluginError:
        return None


def all_formats() -> Iterator[Format]:
    """Yield all file formats, general ones first, plug-ins last; each is imported when it is yielded."""
    # The framework of a general format is "", which sorts before every name.
    places = sorted((FORMATS.framework_of(name), name) for name in FORMATS.names() if not FORMATS.is_plugged(name))
    yield from (FORMATS.load(name) for _, name in places)
    yield from FORMATS.plugged()


def formats_of_plugins() -> Iterator[Format]:
    """Yield the file formats of plug-ins, for a file that no built-in format recognises."""
    from opspec_lint.kit import plugins

    plugins.activate()
    yield from FORMATS.plugged()

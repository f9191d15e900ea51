"""The ops that a source tree declares: PyTorch's own, or those of an extension."""

from __future__ import annotations

from functools import partial

from opspec_lint.cpp.build_files import BuildFiles
from opspec_lint.frameworks.pytorch.extract import cpp, cpp_conditions, native
from opspec_lint.frameworks.pytorch.extract.python.program import Program
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.sources.cache import digest
from opspec_lint.spec.condition import ALWAYS, both

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.model import Remark

_CPP = (".cpp", ".cc", ".cxx", ".cu", ".mm", ".hip", ".h", ".hpp", ".cuh")
_FOREIGN = ("third_party/", "3rdparty/", "external/", "third-party/", "build/", "test/", "tests/")
"""Folders whose ops are somebody else's, or nobody's."""
_KNOWN = BoundedCache()
"""What files declare by themselves, by path and content: revisions in a row have much the same."""


def declared(tree: SourceTree, suffixes: tuple[str, ...]) -> Iterator[Line | Remark]:
    """Yield the schemas that a tree declares, and remarks about those that cannot be told.

    Args:
        tree: the tree.
        suffixes: how the files end that are looked at.
    """
    own = tree.read([native.PATH])[native.PATH]
    if own is not None:
        yield from native.read(_text(own), native.PATH)
        return
    paths = [each for each in sorted(tree.blobs(("",))) if each.endswith(suffixes) and not _is_foreign(each)]
    files = {path: data for path, data in tree.read(paths).items() if data is not None}
    builds = BuildFiles(tree, contents=files)
    for path, data in files.items():
        if not path.endswith(".py") and any(mark in data for mark in cpp.MARKS):
            yield from _of_file(path, data, files, builds)
    yield from Program({path: data for path, data in files.items() if path.endswith(".py")}).definitions()


def _of_file(path: str, data: bytes, files: Mapping[str, bytes], builds: BuildFiles) -> list[Line | Remark]:
    """Return what a file declares; where that depended on no other file, it is known for the same content."""
    key = path, digest(data)
    lines: list[Line | Remark] | None = _KNOWN.get(key)
    if lines is None:
        elsewhere = _Elsewhere(files)
        builds.was_asked = False
        may_define = partial(cpp_conditions.may_define, builds)
        lines = [*cpp.Registrations(_text(data), path, elsewhere.declaring, may_define).read()]
        if not elsewhere.was_asked and not builds.was_asked:
            _KNOWN[key] = lines
    compiled = cpp_conditions.compiled(builds, path) if lines else ALWAYS
    if compiled == ALWAYS:
        return lines
    return [
        line.under(both(line.condition or ALWAYS, compiled), line.condition_line or line.line or 1)
        if isinstance(line, Line)
        else line
        for line in lines
    ]


class _Elsewhere:
    """The files of a tree; `was_asked` is whether anything was looked for there."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self.was_asked = False

    def declaring(self, function: str) -> Iterator[str]:
        """Return the texts of C++ files that name a function."""
        self.was_asked = True
        word = function.encode()
        return (_text(data) for path, data in self._files.items() if path.endswith(_CPP) and word in data)


def _is_foreign(path: str) -> bool:
    return any(f"/{path}".find(f"/{folder}") >= 0 for folder in _FOREIGN)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")

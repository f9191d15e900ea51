"""The ops that a source tree declares: PyTorch's own, or those of an extension."""

from __future__ import annotations

from functools import partial

from opspec_lint.cpp.build_files import BuildFiles
from opspec_lint.frameworks.pytorch.extract import cpp, cpp_conditions, native
from opspec_lint.frameworks.pytorch.extract.cpp_source import Tree
from opspec_lint.frameworks.pytorch.extract.python.program import Program
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.sources.cache import digest
from opspec_lint.spec.condition import ALWAYS, conjunction

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
    texts = {path: _text(data) for path, data in files.items() if path.endswith(_CPP)}
    for path, data in files.items():
        if path in texts and any(mark in data for mark in cpp.MARKS):
            yield from _of_file(path, data, texts, builds)
    yield from Program({path: data for path, data in files.items() if path.endswith(".py")}).definitions()


def _of_file(path: str, data: bytes, texts: Mapping[str, str], builds: BuildFiles) -> list[Line | Remark]:
    """Return what a file declares; where that depended on no other file, it is known for the same content."""
    key = path, digest(data)
    lines: list[Line | Remark] | None = _KNOWN.get(key)
    if lines is None:
        builds.was_asked = False
        files = Tree(texts, partial(cpp_conditions.may_define, builds))
        lines = [*cpp.Registrations(texts[path], path, files).read()]
        if not files.was_searched and not builds.was_asked:
            _KNOWN[key] = lines
    compiled = cpp_conditions.compiled(builds, path) if lines else ALWAYS
    if compiled == ALWAYS:
        return lines
    return [
        line.under(conjunction(line.condition or ALWAYS, compiled), line.condition_line or line.line or 1)
        if isinstance(line, Line)
        else line
        for line in lines
    ]


def _is_foreign(path: str) -> bool:
    return any(f"/{path}".find(f"/{folder}") >= 0 for folder in _FOREIGN)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")

"""The ops that a source tree declares: PyTorch's own, or those of an extension."""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.declared import cpp, native, python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.frameworks.pytorch.schemas.table import Line
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.model import Remark

_CPP = (".cpp", ".cc", ".cxx", ".cu", ".mm", ".hip", ".h", ".hpp", ".cuh")
_FOREIGN = ("third_party/", "3rdparty/", "external/", "third-party/", "build/", "test/", "tests/")
"""Folders whose ops are somebody else's, or nobody's."""


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
    for path, data in files.items():
        if path.endswith(".py"):
            if any(mark in data for mark in python.MARKS):
                yield from python.read(_text(data), path)
        elif any(mark in data for mark in cpp.MARKS):
            yield from cpp.Registrations(_text(data), path, _declaring(files)).read()


def _declaring(files: dict[str, bytes]) -> Callable[[str], Iterator[str]]:
    """Return a function that yields the texts of C++ files that name a function."""

    def texts(function: str) -> Iterator[str]:
        word = function.encode()
        return (_text(data) for path, data in files.items() if path.endswith(_CPP) and word in data)

    return texts


def _is_foreign(path: str) -> bool:
    return any(f"/{path}".find(f"/{folder}") >= 0 for folder in _FOREIGN)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")

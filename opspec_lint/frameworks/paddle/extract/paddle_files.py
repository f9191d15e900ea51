"""The C++ files of Paddle's trees: where they include from, and which macros its builds differ by."""

from __future__ import annotations

from opspec_lint.cpp.files import CppFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git.source_tree import SourceTree


def files_of(tree: SourceTree) -> CppFiles:
    """Return the files of a tree."""
    return CppFiles(tree, "paddle/", ("PADDLE_WITH_", "WITH_"))

"""The C++ files of Paddle's trees: their include root, and the prefixes of the macros that builds define."""

from __future__ import annotations

from opspec_lint.cpp.files import CppFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.git.source_tree import SourceTree


def paddle_cpp_files(tree: SourceTree) -> CppFiles:
    """Return the C++ files of a Paddle tree."""
    return CppFiles(tree, "paddle/", ("PADDLE_WITH_", "WITH_"))

"""The conditions under which registrations in a C++ file of an extension take effect."""

from __future__ import annotations

from opspec_lint.cpp.liveness import Liveness
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.cpp.build_files import BuildFiles
    from opspec_lint.cpp.preprocessed import CppFile
    from opspec_lint.spec.condition import Condition

_LIBRARY = pattern(r"\b\w*TORCH_LIBRARY\w*\s*\(")
_VARIABLE = pattern(r"\b\w*TORCH_LIBRARY\w*\s*\((?:[^(),]|\([^()]*\))*,\s*(\w+)\s*\)")
_PARAMETER = pattern(r"\bLibrary\s*&")
_OF_TORCH = ("TORCH_", "C10_", "AT_", "CAFFE2_", "USE_", "CUDA", "CUDNN", "HIP", "NV", "PYBIND11_", "PY_")
"""How the macros begin that PyTorch, its headers and its builds of extensions define."""
_FOLDERS = frozenset({"doc", "docs", "example", "examples", "tutorial", "tutorials", "benchmark", "benchmarks"})
"""Folders whose code is not part of a package, unless a build names it."""


class Conditions:
    """The conditions of the registrations of a file.

    Args:
        source: the file.
        is_defined_elsewhere: tells whether another file or a build may define a macro.
    """

    def __init__(self, source: CppFile, is_defined_elsewhere: Callable[[str], bool]) -> None:
        hidden = frozenset(_VARIABLE.findall(source.bare))
        self._live = Liveness(source, {}, is_defined_elsewhere, hidden)

    @property
    def unread(self) -> list[tuple[int, str]]:
        """The functions whose statements cannot be told apart, each with its line and the reason."""
        return self._live.unread

    def at(self, offset: int) -> tuple[Condition, int | None]:
        """Return the condition under which a registration takes effect, and the line of its cause."""
        self._live.enter(offset, _of_block)
        return self._live.at(offset)

    def of_library(self, macro: str, offset: int) -> Condition:
        """Return the condition under which a macro registers ops; one that uses the macro of PyTorch does."""
        return self._live.expanded({macro}, offset, kept="TORCH_LIBRARY")[0]


def _of_block(head: str, scope: tuple[str, ...]) -> Condition | None:  # noqa: ARG001 - the namespace does not matter
    """Return ALWAYS for a block of a library, and for a function that takes one, as calls of it are followed."""
    return ALWAYS if _LIBRARY.search(head) or _PARAMETER.search(head) else None


def may_define(builds: BuildFiles, name: str) -> bool:
    """Return whether a build, a header of PyTorch or one of the tree may define a macro."""
    return name.startswith(_OF_TORCH) or builds.may_define(name)


def compiled(builds: BuildFiles, path: str) -> Condition:
    """Return the condition under which a build compiles a file.

    Builds of extensions are programs of Python: such a program may compile a file that it does not name.
    """
    condition = builds.compiles(path)
    is_aside = not _FOLDERS.isdisjoint(path.split("/")[:-1])
    return requirement(f"a build compiles `{path}`") if condition == NEVER or is_aside else condition

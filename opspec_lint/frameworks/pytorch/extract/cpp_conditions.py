"""The conditions under which registrations in a C++ file of an extension take effect."""

from __future__ import annotations

from posixpath import normpath

from opspec_lint.cpp.liveness import Liveness
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.builds.build_files import BuildFiles
    from opspec_lint.cpp.preprocessed import CppFile
    from opspec_lint.spec.condition import Condition

# A literal text comes first, which `re` finds in a fraction of the time that the beginnings of words take.
_LIBRARY = pattern(r"TORCH_LIBRARY\w*\s*\(")
_VARIABLE = pattern(r"TORCH_LIBRARY\w*\s*\((?:[^(),]|\([^()]*\))*,\s*(\w+)\s*\)")
_HAS_INCLUDE = pattern(r'__has_include\s*\(\s*"([^"\n]+)"\s*\)')
_PARAMETER = pattern(r"\bLibrary\s*&")
_PYTORCH_PREFIXES = ("TORCH_", "C10_", "AT_", "CAFFE2_", "USE_", "CUDA", "CUDNN", "HIP", "NV", "PYBIND11_", "PY_")
"""The prefixes of macros that PyTorch, its headers and its builds of extensions define."""
_HEADERS = (".h", ".hpp", ".cuh", ".inc", ".def")
_ASIDE_FOLDERS = frozenset({"doc", "docs", "example", "examples", "tutorial", "tutorials", "benchmark", "benchmarks"})
"""Folders whose code is not part of a package, unless a build names it."""


class Conditions:
    """The conditions of the registrations of a file.

    `is_defined_elsewhere` returns whether another file or a build may define a macro, `has_file` whether the tree has
    a file.
    """

    def __init__(
        self, source: CppFile, is_defined_elsewhere: Callable[[str], bool], has_file: Callable[[str], bool]
    ) -> None:
        hidden = frozenset(_VARIABLE.findall(source.bare))
        # The folder of the file comes first: https://gcc.gnu.org/onlinedocs/cpp/Include-Syntax.html
        folder = source.path.rpartition("/")[0]
        tested = set(_HAS_INCLUDE.findall(source.text)) if "__has_include" in source.text else ()
        holding = {
            f'__has_include("{name}")': "1" for name in tested if has_file(normpath(f"{folder}/{name}").lstrip("/"))
        }
        self._live = Liveness(source, holding, is_defined_elsewhere, hidden)

    @property
    def unread(self) -> list[tuple[int, str]]:
        """The functions whose conditions cannot be evaluated: the line of each, and the reason."""
        return self._live.unread

    def at(self, offset: int) -> tuple[Condition, int | None]:
        """Return the condition under which a registration takes effect, and the line of its cause."""
        self._live.enter(offset, _block_condition)
        return self._live.at(offset)

    def compiled_if(self, offset: int) -> Condition:
        """Return the condition under which the text at an offset is compiled; NEVER if that is unlikely."""
        return self._live.is_compiled(offset)

    def library_condition(self, macro: str, offset: int) -> Condition:
        """Return the condition under which a macro expands to PyTorch's `TORCH_LIBRARY`, and so registers ops."""
        return self._live.unreplaced({macro}, offset, kept="TORCH_LIBRARY")[0]


def _block_condition(head: str, scope: tuple[str, ...]) -> Condition | None:  # noqa: ARG001 - the namespace does not matter
    """Return ALWAYS for a `TORCH_LIBRARY` block, and for a function that takes a library: its calls are followed."""
    return ALWAYS if _LIBRARY.search(head) or _PARAMETER.search(head) else None


def may_define(builds: BuildFiles, name: str) -> bool:
    """Return whether a build, a header of PyTorch or one of the tree may define a macro."""
    return name.startswith(_PYTORCH_PREFIXES) or builds.may_define(name)


def compile_condition(builds: BuildFiles, path: str) -> Condition:
    """Return the condition under which a build compiles a file.

    The build of an extension is a Python program, which may compile a file that it does not name: so a file that no
    build names is compiled under an unknown condition, not never.
    """
    condition = builds.compiles(path)
    is_aside = not _ASIDE_FOLDERS.isdisjoint(path.split("/")[:-1])
    if condition != NEVER and not is_aside:
        return condition
    is_header = path.endswith(_HEADERS)
    return requirement(f"a build compiles a file that includes `{path}`" if is_header else f"a build compiles `{path}`")

"""The folders of a CMake project, and the paths in the tree that texts of a project name."""

from __future__ import annotations

from posixpath import join, normpath, relpath

from opspec_lint.builds.source_lists import SourceLists
from opspec_lint.spec.condition import NEVER, disjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.builds.cmake.items import Doubt
    from opspec_lint.spec.condition import Condition

_ROOT = "/."
"""The text that stands for the root of the tree in absolute paths, of which the part above is unknown."""
_FILE = "CMakeLists.txt"


class Folder:
    """A folder whose CMakeLists.txt a project executes.

    Attributes:
        path: the path in the tree.
        lists: the sources that the targets of the folder compile.
        added: the folders that `add_subdirectory` adds, as written, each with its condition.
        doubts: the statements that may list sources which no file names.
        executed_if: the condition under which the project executes the folder.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.lists = SourceLists()
        self.added: list[tuple[str, Condition]] = []
        self.doubts: list[Doubt] = []
        self.executed_if: Condition = NEVER

    @property
    def build(self) -> str:
        """The path of the CMakeLists.txt."""
        return build_in(self.path)

    def execute(self, condition: Condition) -> None:
        """Record that the project executes the folder under a further condition."""
        self.executed_if = disjunction((self.executed_if, condition))

    def relative(self, text: str) -> str:
        """Return an absolute path in the tree as a path relative to the folder, and any other text as it is."""
        path = tree_path(text)
        return text if path is None else relpath(f"/{path}", f"/{self.path}")

    def split(self, texts: list[str]) -> tuple[list[str], list[str]]:
        """Return the texts that may name sources in the folder, and the paths of the other sources."""
        own: list[str] = []
        outside: list[str] = []
        for text in texts:
            path = tree_path(text)
            if path is None and text.startswith("../"):
                path = normpath(join(self.path, text))
            if path is None:
                own.append(text)
            elif not self.path or path.startswith(f"{self.path}/"):
                own.append(path[len(self.path) :].lstrip("/"))
            else:
                outside.append(path)
        return own, outside


def absolute(path: str) -> str:
    """Return the absolute path of a folder of the tree as a text of CMake."""
    return f"{_ROOT}/{path}" if path else _ROOT


def tree_path(text: str) -> str | None:
    """Return the path in the tree of an absolute path; None for another text."""
    return normpath(text).lstrip("/") if f"{text}/".startswith(f"{_ROOT}/") else None


def without_root(text: str) -> str:
    """Return a text in which the absolute paths of the tree begin with `/`, as in a tree at the root of the disk."""
    return text.replace(f"{_ROOT}/", "/")


def resolve(text: str, folder: str) -> str | None:
    """Return the path in the tree that a text names in a folder; None for a path that is unknown or outside."""
    if "$" in text:
        return None
    path = tree_path(text)
    if path is None:
        path = normpath(join(folder, text))
    return None if path.startswith(("/", "..")) else path.removeprefix(".")


def build_in(folder: str) -> str:
    """Return the path of the CMakeLists.txt of a folder."""
    return f"{folder}/{_FILE}" if folder else _FILE

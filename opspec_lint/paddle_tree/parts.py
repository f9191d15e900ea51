"""What the files of a tree came to, file by file, for the next tree: most of its files are the same.

A part may be used again if everything that was looked at for it is what it was: the file, what it includes, which
files declare a class that it names, and the macros that lead to declarations.
"""

from __future__ import annotations

from opspec_lint.paddle_tree.workspace import CLASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from opspec_lint.paddle_tree.tree import Tree
    from opspec_lint.paddle_tree.workspace import Workspace


class Parts:
    """The parts of a tree.

    `facts` are those of each op source by the id of its content; `nature` stands for what all parts depend on.

    Args:
        data: what `plain` returned, None for no parts.
    """

    def __init__(self, data: dict[str, Any] | None) -> None:
        data = data or {"nature": "", "facts": {}, "table": [], "parts": {}}
        self.nature: str = data["nature"]
        self.facts: dict[str, Any] = data["facts"]
        self.table: list[tuple[str, str]] = data["table"]
        self.parts: dict[str, tuple[tuple[str, ...], list[int], Any]] = data["parts"]
        self._numbers: dict[tuple[str, str], int] = {}
        self.is_news = False

    def plain(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return {"nature": self.nature, "facts": self.facts, "table": self.table, "parts": self.parts}

    def keep(self, path: str, where: tuple[str, ...], outcome: Any, ids: Iterable[tuple[str, str]]) -> None:
        """Keep what a file came to, in the builds that compile it, and what was looked at for that."""
        self.is_news = True
        self.parts[path] = (where, [self._number(each) for each in ids], outcome)

    def pass_on(self, path: str, other: Parts) -> None:
        """Keep what other parts have of a file."""
        where, numbers, outcome = other.parts[path]
        self.parts[path] = (where, [self._number(other.table[number]) for number in numbers], outcome)

    def checker(self, tree: Tree, blobs: Mapping[str, str], workspace: Workspace, protos: str) -> Checker:
        """Return what tells which parts hold for a tree.

        Args:
            tree: the tree.
            blobs: the ids of its op sources.
            workspace: what is known of all of them.
            protos: stands for framework.proto.
        """
        return Checker(self, tree, blobs, workspace, f"{protos} {workspace.nature()}")

    def _number(self, each: tuple[str, str]) -> int:
        number = self._numbers.get(each)
        if number is None:
            number = self._numbers[each] = len(self.table)
            self.table.append(each)
        return number


class Checker:
    """Tells which parts hold for a tree."""

    def __init__(self, parts: Parts, tree: Tree, blobs: Mapping[str, str], workspace: Workspace, nature: str) -> None:
        self._parts = parts
        self._tree = tree
        self._blobs = blobs
        self._workspace = workspace
        self.nature = nature
        self._holds: list[bool] = []
        if parts.parts and parts.nature == nature:
            now = dict(self.ids(path for path, _ in parts.table))
            self._holds = [now[path] == before for path, before in parts.table]

    def find(self, path: str, where: tuple[str, ...]) -> Any:
        """Return what a file came to, None where that is not known or may be different now."""
        part = self._parts.parts.get(path) if self._holds else None
        if part is None or part[0] != where or not all(map(self._holds.__getitem__, part[1])):
            return None
        return part[2]

    def ids(self, paths: Iterable[str]) -> list[tuple[str, str]]:
        """Return what stands for the content of each path, and for the answer to each question about a class."""
        ids: dict[str, str] = {}
        others: list[str] = []
        for path in paths:
            if path.startswith(CLASS):
                ids[path] = self._workspace.dependence(path[len(CLASS) :])
            elif path in self._blobs:
                ids[path] = self._blobs[path]
            else:
                others.append(path)
        return [*ids.items(), *self._tree.identify(others).items()]

"""The results of evaluating a source tree, file by file, for reuse in the next tree: most of its files are the same.

A part is reused if all its dependencies are unchanged: the file, what it includes, and the answers to questions about
the whole tree, such as which files declare a class.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from opspec_lint.git.folders import Entries
    from opspec_lint.git.source_tree import SourceTree

_STALE = 4
"""The share of the dependencies, one of so many, that may be without a part before they are numbered anew."""


class Parts:
    """The parts of a tree: those of an earlier one, to which those that changed are added.

    `facts` maps the id of a content to what follows from the text of that file alone, and `folders` the id of a folder
    to what is in it. `nature` identifies what all parts depend on. Each part lists its dependencies by their numbers in
    `table`.

    Args:
        data: a value that `plain` returned; any other value means no parts.
    """

    def __init__(self, data: Any) -> None:
        none: dict[str, Any] = {"nature": "", "facts": {}, "folders": {}, "table": [], "stale": 0, "parts": {}}
        data = data if isinstance(data, dict) and data.keys() == none.keys() else none
        self.nature: str = data["nature"]
        self.facts: dict[str, Any] = data["facts"]
        self.folders: dict[str, Entries] = data["folders"]
        self.table: list[tuple[str, str]] = data["table"]
        self._stale: int = data["stale"]
        self.parts: dict[str, tuple[tuple[str, ...], list[int], Any]] = data["parts"]
        self._used: set[str] = set()
        self._numbers: dict[tuple[str, str], int] = {}
        self.is_news = False

    def plain(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        if self._stale * _STALE > len(self.table):
            self._number_anew()
        return {
            "nature": self.nature,
            "facts": self.facts,
            "folders": self.folders,
            "table": self.table,
            "stale": self._stale,
            "parts": self.parts,
        }

    def forget(self, nature: str) -> None:
        """Drop all parts, as what all of them depend on is another now."""
        self.nature, self.table, self._stale, self.parts = nature, [], 0, {}

    def find(self, path: str) -> tuple[tuple[str, ...], list[int], Any] | None:
        """Return the builds that compile a file, the numbers of its dependencies, and its result; None if unknown."""
        self._used.add(path)
        return self.parts.get(path)

    def keep(self, path: str, where: tuple[str, ...], outcome: Any, ids: Iterable[tuple[str, str]]) -> None:
        """Keep the result of a file, the builds that compile it, and its dependencies."""
        self.is_news = True
        before = len(self.table)
        self.parts[path] = (where, [self._number(each) for each in ids], outcome)
        self._stale += len(self.table) - before  # as many of another tree are replaced, or were not there

    def _number(self, each: tuple[str, str]) -> int:
        if not self._numbers:
            self._numbers = {known: number for number, known in enumerate(self.table)}
        number = self._numbers.get(each)
        if number is None:
            number = self._numbers[each] = len(self.table)
            self.table.append(each)
        return number

    def _number_anew(self) -> None:
        """Drop the parts of files that are gone, and the dependencies that no part has."""
        table, parts = self.table, self.parts
        self.table, self._numbers, self._stale = [], {}, 0
        self.parts = {
            path: (where, [self._number(table[number]) for number in numbers], outcome)
            for path, (where, numbers, outcome) in parts.items()
            if path in self._used
        }


class Checker:
    """Tells which parts are valid for a tree.

    Args:
        parts: the parts of an earlier tree.
        tree: the tree.
        blobs: the known ids of files of the tree.
        answer: returns an id of the answer to a question, None for a dependency that is the path of a file.
        nature: identifies what all parts depend on; parts of another nature are dropped.
    """

    def __init__(
        self,
        parts: Parts,
        tree: SourceTree,
        blobs: Mapping[str, str],
        answer: Callable[[str], str | None],
        nature: str,
    ) -> None:
        self._parts = parts
        self._tree = tree
        self._blobs = blobs
        self._answer = answer
        self._known: dict[str, str] = {}
        if parts.nature != nature:
            parts.forget(nature)
        now = dict(self.ids(path for path, _ in parts.table))
        self._changed = {number for number, (path, before) in enumerate(parts.table) if now[path] != before}

    @property
    def is_unchanged(self) -> bool:
        """Whether every part is valid, and so what all of them together came to."""
        return all(self._changed.isdisjoint(numbers) for _, numbers, _ in self._parts.parts.values())

    def find(self, path: str, where: tuple[str, ...]) -> Any:
        """Return the result of a file, None if there is none or it may have changed."""
        part = self._parts.find(path)
        if part is None or part[0] != where or not self._changed.isdisjoint(part[1]):
            return None
        return part[2]

    def ids(self, looked_at: Iterable[str]) -> list[tuple[str, str]]:
        """Return the id of each dependency: of the content of a file, or of the answer to a question."""
        paths = list(looked_at)
        others: list[str] = []
        for each in paths:
            if each not in self._known:
                answer = self._answer(each)
                if answer is None:
                    answer = self._blobs.get(each)
                if answer is None:
                    others.append(each)
                else:
                    self._known[each] = answer
        self._known |= self._tree.identify(others)
        return [(each, self._known[each]) for each in paths]

"""The results of evaluating a source tree, file by file, for reuse in the next tree: most of its files are the same.

A part is reused if all its dependencies are unchanged: the file, what it includes, and the answers to questions about
the whole tree, such as which files declare a class.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from opspec_lint.git.source_tree import SourceTree


class Parts:
    """The parts of a tree.

    `facts` maps the id of a content to what follows from the text of that file alone. `nature` identifies what all
    parts depend on.

    Args:
        data: a value that `plain` returned; any other value means no parts.
    """

    def __init__(self, data: Any) -> None:
        none: dict[str, Any] = {"nature": "", "facts": {}, "table": [], "parts": {}}
        data = data if isinstance(data, dict) and data.keys() == none.keys() else none
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
        """Keep the result of a file, the builds that compile it, and its dependencies."""
        self.is_news = True
        self.parts[path] = (where, [self._number(each) for each in ids], outcome)

    def pass_on(self, path: str, other: Parts) -> None:
        """Keep the part of a file that another object has."""
        where, numbers, outcome = other.parts[path]
        self.parts[path] = (where, [self._number(other.table[number]) for number in numbers], outcome)

    def _number(self, each: tuple[str, str]) -> int:
        number = self._numbers.get(each)
        if number is None:
            number = self._numbers[each] = len(self.table)
            self.table.append(each)
        return number


class Checker:
    """Tells which parts are valid for a tree.

    Args:
        parts: the parts of an earlier tree.
        tree: the tree.
        blobs: the known ids of files of the tree.
        answer: returns an id of the answer to a question, None for a dependency that is the path of a file.
        nature: identifies what all parts depend on.
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
        self.nature = nature
        self._holds: list[bool] = []
        if parts.parts and parts.nature == nature:
            now = dict(self.ids(path for path, _ in parts.table))
            self._holds = [now[path] == before for path, before in parts.table]

    def find(self, path: str, where: tuple[str, ...]) -> Any:
        """Return the result of a file, None if there is none or it may have changed."""
        part = self._parts.parts.get(path) if self._holds else None
        if part is None or part[0] != where or not all(map(self._holds.__getitem__, part[1])):
            return None
        return part[2]

    def ids(self, looked_at: Iterable[str]) -> list[tuple[str, str]]:
        """Return the id of each dependency: of the content of a file, or of the answer to a question."""
        ids: dict[str, str] = {}
        others: list[str] = []
        for each in looked_at:
            answer = self._answer(each)
            if answer is not None:
                ids[each] = answer
            elif each in self._blobs:
                ids[each] = self._blobs[each]
            else:
                others.append(each)
        return [*ids.items(), *self._tree.identify(others).items()]

"""The results of evaluating a source tree, file by file, for reuse in the next tree: most of its files are the same.

A part is reused if all its dependencies are unchanged: the file, what it includes, and the answers to questions about
the whole tree, such as which files declare a class.

Of most files that a file includes, its result depends on little: what they include, which macros they define, and that
the words that were sought do not stand in them. So a dependency may be the outline of a file instead of its content;
then the part keeps these words.
"""

from __future__ import annotations

from opspec_lint.sources.cache import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Protocol, TypeAlias

    from opspec_lint.git.folders import Entries
    from opspec_lint.git.source_tree import SourceTree

    Part: TypeAlias = tuple[tuple[str, ...], list[int], list[str], Any]
    """The builds that compile a file, the numbers of its dependencies, the words it did not find, and its result."""
else:
    Protocol = object

OUTLINE = "outline "
"""Begins a dependency on the outline of a file: what it includes, and which macros it may define."""
_DIGEST = 16
_STALE = 4
"""The share of the dependencies, one of so many, that may be without a part before they are numbered again."""


class Parts:
    """The parts of a tree: those of an earlier one, to which those that changed are added.

    `facts` maps the id of a content to what follows from the text of that file alone, and `folders` the id of a folder
    to what is in it. `context` identifies what all parts depend on. Each part lists its dependencies by their numbers
    in `table`.

    Args:
        data: a value that `plain` returned; any other value means no parts.
    """

    def __init__(self, data: Any) -> None:
        none: dict[str, Any] = {"context": "", "facts": {}, "folders": {}, "table": [], "stale": 0, "parts": {}}
        data = data if isinstance(data, dict) and data.keys() == none.keys() else none
        self.context: str = data["context"]
        self.facts: dict[str, Any] = data["facts"]
        self.folders: dict[str, Entries] = data["folders"]
        self.table: list[tuple[str, str]] = data["table"]
        self._stale: int = data["stale"]
        self.parts: dict[str, Part] = data["parts"]
        self._used: set[str] = set()
        self._renewed: set[int] = set()
        self._numbers: dict[tuple[str, str], int] = {}
        self.has_changed = False

    def plain(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        if self._stale * _STALE > len(self.table):
            self._number_anew()
        return {
            "context": self.context,
            "facts": self.facts,
            "folders": self.folders,
            "table": self.table,
            "stale": self._stale,
            "parts": self.parts,
        }

    def forget(self, context: str) -> None:
        """Drop all parts, as what all of them depend on is another now."""
        self.context, self.table, self._stale, self.parts = context, [], 0, {}

    def find(self, path: str) -> Part | None:
        """Return the part of a file, None if there is none."""
        self._used.add(path)
        return self.parts.get(path)

    def keep(
        self,
        path: str,
        where: tuple[str, ...],
        outcome: Any,
        ids: Iterable[tuple[str, str]],
        words: Iterable[str] = (),
    ) -> None:
        """Keep the result of a file, the builds that compile it, its dependencies, and the words it did not find."""
        self.has_changed = True
        before = len(self.table)
        self.parts[path] = (where, [self._number(each) for each in ids], list(words), outcome)
        self._stale += len(self.table) - before  # as many of another tree are replaced, or were not there

    def renew(self, number: int, answer: str) -> None:
        """Replace the answer of a dependency by another that changes no part which is asked for from now on."""
        self._renewed.add(number)
        self.table[number] = (self.table[number][0], answer)

    def drop_stale(self) -> None:
        """Drop the parts that nobody asked for and that a renewed answer may change."""
        for path in [each for each in self.parts if each not in self._used] if self._renewed else ():
            if not self._renewed.isdisjoint(self.parts[path][1]):
                del self.parts[path]

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
            path: (where, [self._number(table[number]) for number in numbers], words, outcome)
            for path, (where, numbers, words, outcome) in parts.items()
            if path in self._used
        }


class Questions(Protocol):
    """What is asked of a tree to tell whether a dependency changed."""

    def answer(self, question: str) -> str | None:
        """Return an id of the answer to a question, None for a dependency that is the path of a file."""

    def outline(self, path: str) -> str:
        """Return the outline of a file as text, "" for one that is not there."""

    def peek(self, path: str, word: str) -> bool:
        """Tell whether a word stands in a file."""


class Checker:
    """Tells which parts are valid for a tree.

    Args:
        parts: the parts of an earlier tree.
        tree: the tree.
        blobs: the known ids of files of the tree.
        questions: what is asked of the tree.
        context: identifies what all parts depend on; parts of another context are dropped.
    """

    def __init__(
        self, parts: Parts, tree: SourceTree, blobs: Mapping[str, str], questions: Questions, context: str
    ) -> None:
        self._parts = parts
        self._tree = tree
        self._blobs = dict(blobs)
        self._questions = questions
        self._known: dict[str, str] = {}
        self._outlines = {each: before for each, before in parts.table if each.startswith(OUTLINE)}
        if parts.context != context:
            parts.forget(context)
        self._changed: set[int] = set()
        self._touched: dict[int, str] = {}
        for number, (each, now) in enumerate(self.ids(each for each, _ in parts.table)):
            before = parts.table[number][1]
            if now == before:
                continue
            if each.startswith(OUTLINE) and now.partition(" ")[2] == before.partition(" ")[2]:
                self._touched[number] = each[len(OUTLINE) :]
                parts.renew(number, now)
            else:
                self._changed.add(number)

    @property
    def is_unchanged(self) -> bool:
        """Whether every part is valid, and so what all of them together came to."""
        doubtful = self._changed.union(self._touched)
        return all(doubtful.isdisjoint(numbers) for _, numbers, _, _ in self._parts.parts.values())

    def find(self, path: str, where: tuple[str, ...]) -> Any:
        """Return the result of a file, None if there is none or it may have changed."""
        part = self._parts.find(path)
        if part is None or part[0] != where or not self._changed.isdisjoint(part[1]):
            return None
        return None if self._has_found_words(part[1], part[2]) else part[3]

    def _has_found_words(self, numbers: list[int], words: list[str]) -> bool:
        """Tell whether a word that a part sought stands now where it did not: in a file with the same outline."""
        if not self._touched or self._touched.keys().isdisjoint(numbers):
            return False
        paths = [self._touched[number] for number in numbers if number in self._touched]
        return any(self._questions.peek(path, word) for path in paths for word in words)

    def ids(self, looked_at: Iterable[str]) -> list[tuple[str, str]]:
        """Return the id of each dependency: of a content, of the answer to a question, or of a content and outline."""
        every = list(looked_at)
        paths: dict[str, str] = {}
        for each in every:
            if each in self._known:
                continue
            answer = None if each in self._blobs else self._questions.answer(each)
            if answer is None:
                paths[each] = each.removeprefix(OUTLINE)
            else:
                self._known[each] = answer
        self._blobs |= self._tree.identify({path for path in paths.values() if path not in self._blobs})
        for each, path in paths.items():
            self._known[each] = self._blobs[path] if path == each else self._outline(each, path)
        return [(each, self._known[each]) for each in every]

    def _outline(self, dependency: str, path: str) -> str:
        """Return the id of the content of a file, and the digest of its outline."""
        blob, before = self._blobs[path], self._outlines.get(dependency, "")
        if before and before.partition(" ")[0] == blob:
            return before
        return f"{blob} {digest(self._questions.outline(path).encode())[:_DIGEST]}"

"""A store of intermediate results: what was evaluated in each file of a source tree, for reuse in the next tree.

Most files of two trees are the same. A part is the result of one file. It is reused if all its dependencies are
unchanged: the file, its includes, and the answers to questions about the whole tree, such as which files declare a
class.

Most included files affect a result only by their includes, by the macros that they define, and by the absence of words
that were searched for. So a dependency may be the outline of a file instead of its content; then the part records these
words.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.sources.cache import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Protocol, TypeAlias

    from opspec_lint.git.folders import Entries
    from opspec_lint.git.source_tree import SourceTree

    Part: TypeAlias = tuple[tuple[str, ...], list[int], list[str], Any]
    """The builds that compile a file, the numbers of its dependencies, the words absent from them, and its result."""
else:
    Protocol = object

OUTLINE = "outline "
"""Prefix of a dependency on the outline of a file: its includes, and the macros that it may define."""
_DIGEST = 16
_STALE = 4
"""If more than 1/4 of the dependencies belong to no part, they are numbered anew."""


class Parts:
    """The parts of a tree: the parts of an earlier tree, updated by those that changed.

    `facts` maps the id of a content to the facts that follow from the text of that file alone, and `folders` the id of
    a folder to its entries. `context` identifies the inputs of all parts. Each part lists its dependencies by their
    numbers in `table`.

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
        """Return the parts as plain data."""
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
        """Drop all parts, as their common inputs have changed."""
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
        absent_texts: Iterable[str] = (),
    ) -> None:
        """Store the result of a file, the builds that compile it, its dependencies, and the words absent from them."""
        self.has_changed = True
        before = len(self.table)
        self.parts[path] = (where, [self._number(dependency) for dependency in ids], list(absent_texts), outcome)
        self._stale += len(self.table) - before  # about as many of the earlier tree are now unused

    def renew(self, number: int, answer: str) -> None:
        """Replace the answer of a dependency by one that changes no part that is requested afterwards."""
        self._renewed.add(number)
        dependency, _ = self.table[number]
        self.table[number] = dependency, answer

    def drop_stale(self) -> None:
        """Drop the parts that were not requested in this run and that depend on an answer which is another one now.

        An answer is what the tree says about a dependency, such as the id of a file.
        """
        if not self._renewed:
            return
        # The table has the new answer by now, so the next run would take these parts for unchanged.
        for path in [path for path in self.parts if path not in self._used]:
            _, numbers, _, _ = self.parts[path]
            if not self._renewed.isdisjoint(numbers):
                del self.parts[path]

    def _number(self, dependency: tuple[str, str]) -> int:
        """Return the number of a dependency in the table, to which a new one is added."""
        # The mapping is built only if a part changes; most trees need it for none.
        if not self._numbers:
            self._numbers = {known: number for number, known in enumerate(self.table)}
        number = self._numbers.get(dependency)
        if number is None:
            number = self._numbers[dependency] = len(self.table)
            self.table.append(dependency)
        return number

    def _number_anew(self) -> None:
        """Drop the parts of deleted files, and the dependencies without a part."""
        table, parts = self.table, self.parts
        self.table, self._numbers, self._stale = [], {}, 0
        self.parts = {
            path: (where, [self._number(table[number]) for number in numbers], absent_texts, outcome)
            for path, (where, numbers, absent_texts, outcome) in parts.items()
            if path in self._used
        }


class ChangedPart(Record):
    """The result of an earlier revision of a file, its dependencies, and the words absent from them.

    `are_others_same`: no dependency apart from the file itself has changed the result.
    """

    outcome: Any
    dependencies: set[str]
    absent_texts: set[str]
    are_others_same: bool


class Questions(Protocol):
    """The questions about a tree that show whether a dependency changed."""

    def answer(self, question: str) -> str | None:
        """Return an id of the answer to a question, None for a dependency on a file."""

    def outline(self, path: str) -> str:
        """Return the outline of a file as text, "" for a missing file."""

    def peek(self, path: str, text: str) -> bool:
        """Return whether the text of a file contains a word."""


class Checker:
    """A validity check of parts against a tree.

    Args:
        parts: the parts of an earlier tree.
        tree: the tree.
        blobs: the known ids of files of the tree.
        questions: the answers about the tree.
        context: identifies the inputs of all parts; parts of another context are dropped.
    """

    def __init__(
        self, parts: Parts, tree: SourceTree, blobs: Mapping[str, str], questions: Questions, context: str
    ) -> None:
        self._parts = parts
        self._tree = tree
        self._blobs = dict(blobs)
        self._questions = questions
        self._known: dict[str, str] = {}
        # Before `forget`, which empties the table: an outline follows from a content alone, whatever the context is.
        self._outlines = {dependency: before for dependency, before in parts.table if dependency.startswith(OUTLINE)}
        if parts.context != context:
            parts.forget(context)
        self._changed: set[int] = set()
        self._touched: dict[int, str] = {}
        for number, (dependency, now) in enumerate(self.ids(dependency for dependency, _ in parts.table)):
            _, before = parts.table[number]
            if now == before:
                continue
            # The content differs and the outline does not: only a word that was absent can change the result.
            if dependency.startswith(OUTLINE) and now.partition(" ")[2] == before.partition(" ")[2]:
                self._touched[number] = dependency[len(OUTLINE) :]
                parts.renew(number, now)
            else:
                self._changed.add(number)

    @property
    def is_unchanged(self) -> bool:
        """True if every part is valid, and so is the result of all parts together."""
        doubtful = self._changed.union(self._touched)
        return all(doubtful.isdisjoint(numbers) for _, numbers, _, _ in self._parts.parts.values())

    def find(self, path: str, where: tuple[str, ...]) -> Any:
        """Return the result of a file, None if there is none or it may have changed."""
        part = self._parts.find(path)
        if part is None:
            return None
        builds, numbers, absent_texts, outcome = part
        if builds != where or not self._changed.isdisjoint(numbers) or self._has_new_text(numbers, absent_texts):
            return None
        return outcome

    def find_changed(self, path: str, where: tuple[str, ...]) -> ChangedPart | None:
        """Return the result of the earlier revision of a file in the same builds, None if there is none."""
        part = self._parts.find(path)
        if part is None:
            return None
        builds, numbers, absent_texts, outcome = part
        if builds != where:
            return None
        names: dict[int, str] = {}
        for number in numbers:
            names[number], _ = self._parts.table[number]
        others = [number for number, name in names.items() if name.removeprefix(OUTLINE) != path]
        are_others_same = self._changed.isdisjoint(others) and not self._has_new_text(others, absent_texts)
        return ChangedPart(
            outcome=outcome,
            dependencies=set(names.values()),
            absent_texts=set(absent_texts),
            are_others_same=are_others_same,
        )

    def _has_new_text(self, numbers: list[int], absent_texts: list[str]) -> bool:
        """Return whether a changed file with the same outline now contains a word that was absent for a part."""
        if not self._touched or self._touched.keys().isdisjoint(numbers):
            return False
        paths = [self._touched[number] for number in numbers if number in self._touched]
        return any(self._questions.peek(path, text) for path in paths for text in absent_texts)

    def ids(self, looked_at: Iterable[str]) -> list[tuple[str, str]]:
        """Return the id of each dependency: of a content, of an answer, or of a content and its outline."""
        every = list(looked_at)
        paths: dict[str, str] = {}
        for dependency in every:
            if dependency in self._known:
                continue
            answer = None if dependency in self._blobs else self._questions.answer(dependency)
            if answer is None:
                paths[dependency] = dependency.removeprefix(OUTLINE)
            else:
                self._known[dependency] = answer
        self._blobs |= self._tree.identify({path for path in paths.values() if path not in self._blobs})
        for dependency, path in paths.items():
            self._known[dependency] = self._blobs[path] if path == dependency else self._outline(dependency, path)
        return [(dependency, self._known[dependency]) for dependency in every]

    def _outline(self, dependency: str, path: str) -> str:
        """Return the id of the content of a file, and the digest of its outline."""
        blob, before = self._blobs[path], self._outlines.get(dependency, "")
        if before and before.partition(" ")[0] == blob:
            return before
        return f"{blob} {digest(self._questions.outline(path).encode())[:_DIGEST]}"

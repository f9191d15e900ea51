"""Values that the server and its reading processes exchange.

Lines and columns count from 0, and columns in the units of the client, as in the protocol.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from opspec_lint.project.check_context import Request

    Range: TypeAlias = tuple[int, int, int, int]
    """Start line, start column, end line, end column."""


class Task(Record):
    """A check for a reading process.

    `documents` are the texts that are open in the editor, by the path of the file. `encoding` names the units of
    columns: "utf-8", "utf-16" or "utf-32".
    """

    request: Request
    documents: Mapping[str, str]
    encoding: str


class FilePlace(Record):
    """A place of a file; `path` is absolute."""

    path: str
    range: Range

    @property
    def line(self) -> int:
        """The line that the place begins on."""
        line, *_ = self.range
        return line

    def covers(self, column: int) -> bool:
        """Return whether the range has a column; the caller knows that it is on the line."""
        _, start, _, end = self.range
        return start <= column <= end


class BasePlace(Record):
    """A place of a file at base: the top of the repository, the id of the commit, and the path from the top."""

    top: str
    commit: str
    path: str
    range: Range


class FileEdits(Record):
    """Edits of one file: ranges, and the texts that take their place. `is_new`: the file does not exist yet."""

    path: str
    is_new: bool
    edits: tuple[tuple[Range, str], ...]


class FixAction(Record):
    """A fix of a finding."""

    title: str
    is_safe: bool
    files: tuple[FileEdits, ...]


class Mark(Record):
    """A finding at its place.

    `group` is its level, or the reason why it does not count (`report.entries.GROUPS`). `rule` is the id of its rule,
    `page` the address of the page of that rule, if it is known. `fingerprint` identifies the finding in a waiver.
    `message` is plain text, `explanation` Markdown.
    """

    place: FilePlace
    group: str
    rule: str
    page: str | None
    fingerprint: str
    message: str
    explanation: str
    base: BasePlace | None
    actions: tuple[FixAction, ...]


class ReadProblem(Record):
    """The reason why something could not be read.

    `place` is None if it concerns no file. `is_error`: nothing could be checked. `is_crash`: by a fault of this
    program.
    """

    text: str
    place: FilePlace | None = None
    is_error: bool = True
    is_crash: bool = False


class CheckResult(Record):
    """The result of a check: its findings, or the problem that prevented it, and problems of single documents.

    `is_complete`: nothing prevented the check.
    """

    marks: tuple[Mark, ...] = ()
    problems: tuple[ReadProblem, ...] = ()
    is_complete: bool = True

    def completed_from(self, earlier: CheckResult) -> CheckResult:
        """Return the result with the earlier findings, if files that cannot be read prevented this check.

        A file is invalid at every second key while it is typed, which must not hide the findings of other files. The
        earlier findings have no actions, as their files may have changed.
        """
        if self.is_complete or any(problem.is_error and problem.place is None for problem in self.problems):
            return self
        unread = {problem.place.path for problem in self.problems if problem.place is not None}
        kept = (mark.replace(actions=()) for mark in earlier.marks if mark.place.path not in unread)
        return self.replace(marks=tuple(kept))


class DeclaredPlace(Record):
    """A declaration in an open file: its place, its description in Markdown, and its place in base.

    `op`, `section` and `name` identify it in a history; `name` is "" for an op.
    """

    place: FilePlace
    description: str
    base: BasePlace | None
    op: str
    section: str
    name: str


class Batch(Record):
    """Some pickled declarations, and the range of the lines that they are on."""

    lines: range
    data: bytes


class OpenDeclarations(Record):
    """The declarations of the open files. `history` is the file of the configured history, None if there is none."""

    batches: tuple[Batch, ...] = ()
    history: str | None = None

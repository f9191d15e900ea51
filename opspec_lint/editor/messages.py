"""What the server and its reading processes tell each other: values that go from process to process.

Lines and columns count from 0, and columns in the units of the client, as the protocol has them.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from opspec_lint.project.scene import Request

    Range: TypeAlias = tuple[int, int, int, int]
    """The line and the column of the start, and those of the end."""


class Task(Record):
    """A check that a reading process is to do.

    `request` is what to check, in its folder. `documents` are the texts that are open in the editor, by the path of
    the file. `encoding` names the units of columns: "utf-8", "utf-16" or "utf-32".
    """

    request: Request
    documents: Mapping[str, str]
    encoding: str


class Place(Record):
    """A place of a file; `path` is absolute."""

    path: str
    range: Range


class BasePlace(Record):
    """A place of a file at base: the top of the repository, the id of the commit, and the path from the top."""

    top: str
    commit: str
    path: str
    range: Range


class FileEdits(Record):
    """Edits of one file: ranges, and the texts that take their place. `is_new` is whether the file does not exist."""

    path: str
    is_new: bool
    edits: tuple[tuple[Range, str], ...]


class Action(Record):
    """A fix of a finding."""

    title: str
    is_safe: bool
    files: tuple[FileEdits, ...]


class Mark(Record):
    """A finding at its place.

    `group` is its level, or why it does not count (`report.entries.GROUPS`). `rule` is the id of its rule. `message`
    is plain text, `explanation` Markdown.
    """

    place: Place
    group: str
    rule: str
    message: str
    explanation: str
    base: BasePlace | None
    actions: tuple[Action, ...]


class Problem(Record):
    """Why something could not be read.

    `place` is None if it is about no file. `is_error` is whether nothing could be checked, and `is_crash` whether that
    is our fault.
    """

    text: str
    place: Place | None = None
    is_error: bool = True
    is_crash: bool = False


class Checked(Record):
    """The result of a check: its findings, or the problem that prevented it, and what was not read as it is."""

    marks: tuple[Mark, ...] = ()
    problems: tuple[Problem, ...] = ()


class Subject(Record):
    """A declaration of an open file: its place, what it is in Markdown, and where base declares it.

    `op`, `section` and `name` identify it in a history; `name` is "" for an op.
    """

    place: Place
    about: str
    base: BasePlace | None
    op: str
    section: str
    name: str


class Batch(Record):
    """Some declarations as bytes, and lines among which theirs are."""

    lines: range
    data: bytes


class Declared(Record):
    """The declarations of the open files. `history` is the file of the configured history, None if there is none."""

    batches: tuple[Batch, ...] = ()
    history: str | None = None

"""Findings as the entries of a report that a code host or a CI system reads: where, about what, in what words.

All that comes from a spec is on one line here and of bounded length; how a format writes it is up to its reporter.
"""

from __future__ import annotations

import posixpath

from opspec_lint.findings import LEVELS
from opspec_lint.plain import one_line, shorten
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.findings import Finding, Report
    from opspec_lint.model import Origin

_LONGEST = 2000
"""Characters of a text: a default value may be of any length, and no reader of these formats scrolls sideways."""


class Place(Record):
    """A position in a file of the repository; line and column are 1 where none is known."""

    path: str
    line: int
    column: int


class Entry(Record):
    """A finding, ready to be written.

    `place` is in head, since that is what a code host shows; `base` is None where the source of base has no lines.
    `subject` names the op and what inside it. `details` are lines: whom it breaks, what to do, who has to approve.
    """

    finding: Finding
    place: Place
    base: Place | None
    subject: str
    message: str
    details: tuple[str, ...]


def entries(report: Report) -> list[Entry]:
    """Return an entry for each finding, the worst first, ops in order within each level."""
    head = _place(report.head.file, None)
    findings = sorted(report.findings, key=lambda finding: -LEVELS.index(finding.level))
    return [_entry(finding, head) for finding in findings]


def path_in_repository(file: str) -> str:
    """Return the path of a file as it stands in the repository, with forward slashes.

    `REVISION:PATH` goes by its path, a file outside of the repository by its base name.
    """
    path = posixpath.normpath((file.partition(":")[2] or file).replace("\\", "/"))
    if path.startswith(("/", "../")):
        path = posixpath.basename(path)
    return "unknown" if path in ("", ".", "..") else path


def _entry(finding: Finding, head: Place) -> Entry:
    op = [] if finding.op is None else [finding.op]
    argument = [] if finding.kind == "op" else [f"{finding.kind} {finding.name or ''}".rstrip()]
    base, origin = finding.base_origin, finding.head_origin
    return Entry(
        finding=finding,
        place=head if origin is None else _place(origin.file, origin),
        base=None if base is None else _place(base.file, base),
        subject=shorten(one_line(", ".join(op + argument)), _LONGEST),
        message=shorten(one_line(finding.message), _LONGEST),
        details=tuple(shorten(one_line(line), _LONGEST) for line in _details(finding)),
    )


def _details(finding: Finding) -> Iterator[str]:
    yield f"{'breaks' if finding.directions else 'effect'}: {finding.breaks}"
    yield f"instead: {finding.advice}"
    if finding.review:
        yield f"review: needs {finding.review} to approve"


def _place(file: str, origin: Origin | None) -> Place:
    line, column = (None, None) if origin is None else (origin.line, origin.column)
    return Place(path=path_in_repository(file), line=line or 1, column=column or 1)

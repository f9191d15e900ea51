"""Findings as annotations in the code view of GitHub: workflow commands, which the runner executes.

The runner keeps ten annotations of each level for each step and drops the others silently ("Workflow commands for
GitHub Actions", and `_maxIssueCount` in ExecutionContext.cs of actions/runner).
"""

from __future__ import annotations

from itertools import islice

from opspec_lint.kit.text import one_line, shorten
from opspec_lint.report.entries import counts, entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Report

ANNOTATIONS = 10
"""The number of annotations that GitHub keeps, per level and step."""

_COMMANDS = {"error": ("error",), "warning": ("warning",), "notice": ("newly waived", "approved", "note", "waived")}
"""Workflow command by groups of entries: a waived or approved finding is a notice, whatever its level."""
# GitHub's Checks API refuses longer titles of annotations.
_TITLE = 255
# As `escapeData` and `escapeProperty` of actions/toolkit (packages/core/src/command.ts).
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def render(report: Report, taken: Mapping[str, int] | None = None) -> str:
    """Return a command for each finding that GitHub will show, and a line that counts them all.

    Args:
        report: the report.
        taken: the number of annotations of each level that the step has already.
    """
    lines = [_command(command, entry) for command, entry in _annotated_entries(report, taken or {})]
    rest = describe_unannotated(report, taken)
    closing = f"opspec-lint: {counts(report.findings) or 'no findings'}{f'; {rest}' if rest else ''}"
    return "\n".join([*lines, closing, ""])


def describe_unannotated(report: Report, taken: Mapping[str, int] | None = None) -> str:
    """Return a sentence with the number of findings that GitHub's limit leaves without annotation; "" for none."""
    if not report.touches:  # such a change gets no annotation at all (`_annotated_entries`)
        return ""
    left = len(report.findings) - sum(1 for _ in _annotated_entries(report, taken or {}))
    return f"{left} not annotated, since GitHub shows at most {ANNOTATIONS} of a level for each step" if left else ""


def _annotated_entries(report: Report, taken: Mapping[str, int]) -> Iterator[tuple[str, Entry]]:
    """Yield the workflow command and the entry of each annotation: the worst of each level.

    A change that touches no contract has none: otherwise every pull request would get the same annotations.
    """
    for command, groups in _COMMANDS.items() if report.touches else ():
        room = max(ANNOTATIONS - taken.get(command, 0), 0)
        yield from ((command, entry) for entry in islice(entries(report, groups), room))


def _command(command: str, entry: Entry) -> str:
    """Return the workflow command (`error`, `warning`, `notice`) of an entry."""
    place = entry.place
    mark = "" if entry.cleared is None else f"{entry.group}, "
    where = {"file": place.path, "line": str(place.line), "col": str(place.column)}
    properties = {
        **(where if entry.is_placed else {}),
        "title": shorten(f"{mark}{entry.finding.rule}: {entry.subject}", _TITLE),
    }
    written = ",".join(f"{key}={_escape(value, _PROPERTY)}" for key, value in properties.items())
    data = "%0A".join(_escape(line, _DATA) for line in (entry.message, *entry.lines))
    return f"::{command} {written}::{data}"


def _escape(text: str, table: dict[int, str]) -> str:
    """Return a text from a spec escaped, so that it neither ends the command nor starts another one."""
    return one_line(text).translate(table)

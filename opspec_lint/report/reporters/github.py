"""The reporter for GitHub Actions: workflow commands, which become annotations at lines of the code.

It writes as many as GitHub shows, and counts the others.
"""

from __future__ import annotations

from opspec_lint.kit.text import one_line, shorten
from opspec_lint.report.annotations import ANNOTATIONS, annotated_entries, describe_unannotated
from opspec_lint.report.entries import counts
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Report

# GitHub's Checks API refuses longer titles of annotations.
_TITLE = 255
# As `escapeData` and `escapeProperty` of actions/toolkit (packages/core/src/command.ts).
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def render(report: Report) -> str:
    """Return a command for each finding that GitHub will show, and a line that counts them all."""
    lines = [_command(command, entry) for command, entry in annotated_entries(report)]
    return "\n".join([*lines, _closing(report), ""])


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


def _closing(report: Report) -> str:
    """Return the last line: the counts of findings."""
    rest = describe_unannotated(report)
    return f"opspec-lint: {counts(report.findings) or 'no findings'}{f'; {rest}' if rest else ''}"


REPORTER = Reporter(
    summary=f"workflow commands of GitHub Actions, for at most {ANNOTATIONS} annotations of a level",
    render=render,
    wants_lines=True,
)

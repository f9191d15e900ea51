"""Workflow commands of GitHub Actions: findings become annotations beside the code.

GitHub keeps ten annotations of each level a step and drops the others without a word ("Workflow commands for GitHub
Actions", and the annotations of its Checks API); here the worst are written and the others counted.
"""

from __future__ import annotations

from opspec_lint.kit.text import one_line, shorten
from opspec_lint.report.entries import counts, entries
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Report


ANNOTATIONS = 10
"""Of each level and step."""

_COMMANDS = {"error": ("error",), "warning": ("warning",), "notice": ("newly waived", "approved", "note", "waived")}
"""Each with the groups of entries that it is for: what is waived or approved is never an error, whatever its level."""
_TITLE = 255
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def render(report: Report) -> str:
    """Return a command for each finding that GitHub will show, and a line that counts them all."""
    every = entries(report)
    lines = []
    for command, groups in _COMMANDS.items():
        shown = [entry for entry in every if entry.group in groups][:ANNOTATIONS]
        lines += [_command(command, entry) for entry in shown]
    return "\n".join([*lines, _closing(report, len(every) - len(lines)), ""])


def _command(command: str, entry: Entry) -> str:
    place = entry.place
    mark = "" if entry.cleared is None else f"{entry.group}, "
    properties = {
        "file": place.path,
        "line": str(place.line),
        "col": str(place.column),
        "title": shorten(f"{mark}{entry.finding.rule}: {entry.subject}", _TITLE),
    }
    written = ",".join(f"{key}={_escape(value, _PROPERTY)}" for key, value in properties.items())
    data = "%0A".join(_escape(line, _DATA) for line in (entry.message, *entry.details))
    return f"::{command} {written}::{data}"


def _escape(text: str, table: dict[int, str]) -> str:
    """Return a text that neither ends the command nor is one."""
    return one_line(text).translate(table)


def _closing(report: Report, left: int) -> str:
    rest = f"; {left} not annotated, since GitHub shows {ANNOTATIONS} of a level a step" if left else ""
    return f"opspec-lint: {counts(report.findings) or 'no findings'}{rest}"


REPORTER = Reporter(summary="workflow commands of GitHub Actions, for annotations", render=render, wants_lines=True)

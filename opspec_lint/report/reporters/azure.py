"""The reporter for Azure Pipelines: logging commands, which become issues of the run at lines of the code.

Syntax and escapes follow "Logging commands" in the documentation of Azure Pipelines. It has errors and warnings only;
notes, waived and approved findings are counted in the last line.
"""

from __future__ import annotations

from opspec_lint.kit.text import one_line
from opspec_lint.report.entries import counts, entries
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Report

_DATA = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({";": "%3B", "]": "%5D"})


def render(report: Report) -> str:
    """Return a command for each error and warning, and a line that counts all findings."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the command of each error and warning, and the line that counts all findings."""
    yield from (f"{_command(entry)}\n" for entry in entries(report, ("error", "warning")))
    yield f"opspec-lint: {counts(report.findings) or 'no findings'}\n"


def _command(entry: Entry) -> str:
    """Return the logging command of an entry."""
    properties = {
        "type": entry.group,
        "sourcepath": entry.place.path,
        "linenumber": str(entry.place.line),
        "columnnumber": str(entry.place.column),
        "code": entry.finding.rule,
    }
    written = "".join(f"{key}={one_line(value).translate(_PROPERTY)};" for key, value in properties.items())
    data = "%0A".join(one_line(line).translate(_DATA) for line in (f"{entry.subject}: {entry.message}", *entry.lines))
    return f"##vso[task.logissue {written}]{data}"


REPORTER = Reporter(summary="logging commands of Azure Pipelines", render=render, parts=parts, wants_lines=True)

"""An output format: a module of `report/reporters/`, or of a framework's own, with a `REPORTER`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from opspec_lint.kit.terminal import Terminal
    from opspec_lint.report.findings import Report

REPORTERS: Catalogue[Reporter] = Catalogue("report/reporters", "frameworks/*/reporters", offers="REPORTER")
"""The output formats; a format is called like its file."""


class Reporter(Record):
    """An output format.

    `summary` is a line for people. `render` returns the text of a report. `render_on` returns it for a terminal, and
    `render_within` in at most so many bytes; `parts` yields it in parts, as they are made. Each of the three is None
    where the format has no text of that kind. `wants_lines` asks for the lines of findings in spec files, `wants_fixes`
    for their fixes.
    """

    summary: str
    render: Callable[[Report], str]
    render_on: Callable[[Report, Terminal], str] | None = None
    render_within: Callable[[Report, int], str] | None = None
    parts: Callable[[Report], Iterator[str]] | None = None
    wants_lines: bool = False
    wants_fixes: bool = False

    def rendered(self, report: Report) -> Iterable[str]:
        """Return the text of a report in parts, which are to be written one after the other."""
        return (self.render(report),) if self.parts is None else self.parts(report)

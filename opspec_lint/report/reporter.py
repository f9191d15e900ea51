"""Reporters: modules of `report/reporters/`, or of a framework's `reporters/`, with a `REPORTER`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from opspec_lint.kit.terminal import Terminal
    from opspec_lint.report.findings import Report

REPORTERS: Catalogue[Reporter] = Catalogue(
    "report/reporters",
    "frameworks/*/reporters",
    offers="REPORTER",
    is_open=True,
    results={"render": "str", "render_on": "str", "render_within": "str", "parts": "Iterator"},
)
"""The reporters by name of the output format, which is the file name."""


class Reporter(Record):
    """An output format.

    - `summary`: a line for people
    - `render(report)`: the text
    - `render_on(report, terminal)`: the text for a terminal; `render_within(report, limit)`: the text in at most
      `limit` bytes; `parts(report)`: the text in parts, made lazily. Each is None if not supported
    - `wants_lines`: it prints lines of findings in spec files; `wants_error_lines`: lines of errors and warnings;
      `wants_fixes`: it prints fixes
    """

    summary: str
    render: Callable[[Report], str]
    render_on: Callable[[Report, Terminal], str] | None = None
    render_within: Callable[[Report, int], str] | None = None
    parts: Callable[[Report], Iterator[str]] | None = None
    wants_lines: bool = False
    wants_error_lines: bool = False
    wants_fixes: bool = False

    def render_parts(self, report: Report) -> Iterable[str]:
        """Return the text of a report in parts, so that a large report is never in memory as a whole."""
        return (self.render(report),) if self.parts is None else self.parts(report)

"""The reporter for comments on pull requests: `markdown`, cut to the length of a comment.

GitHub refuses longer comments, while the summary of a step may be sixteen times as long.
"""

from __future__ import annotations

from opspec_lint.report.markup import COMMENT_ROOM
from opspec_lint.report.reporter import REPORTERS, Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Report


def render(report: Report) -> str:
    """Return the report as Markdown that GitHub accepts as a comment."""
    markdown = REPORTERS.load("markdown")
    return markdown.render(report) if markdown.render_within is None else markdown.render_within(report, COMMENT_ROOM)


REPORTER = Reporter(
    summary="Markdown of at most 65,536 characters, for a comment on GitHub", render=render, wants_fixes=True
)

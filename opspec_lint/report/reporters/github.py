"""The reporter for GitHub Actions: workflow commands, which become annotations at lines of the code.

It writes as many as GitHub shows, and counts the others.
"""

from __future__ import annotations

from opspec_lint.report.annotations import ANNOTATIONS, render
from opspec_lint.report.reporter import Reporter

REPORTER = Reporter(
    summary=f"workflow commands of GitHub Actions, for at most {ANNOTATIONS} annotations of a level",
    render=render,
    wants_lines=True,
)

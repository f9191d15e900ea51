"""The selection of findings that become annotations in the code view of GitHub.

GitHub keeps ten annotations of each level for each step and drops the others silently ("Workflow commands for GitHub
Actions", and the annotations of its Checks API).
"""

from __future__ import annotations

from itertools import islice

from opspec_lint.report.entries import entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Report

ANNOTATIONS = 10
"""The number of annotations that GitHub keeps, per level and step."""

_COMMANDS = {"error": ("error",), "warning": ("warning",), "notice": ("newly waived", "approved", "note", "waived")}
"""Workflow command by groups of entries: a waived or approved finding is a notice, whatever its level."""


def annotated_entries(report: Report) -> Iterator[tuple[str, Entry]]:
    """Yield the workflow command and the entry of each annotation: the worst of each level.

    A change that touches no contract has none: otherwise every pull request would get the same annotations.
    """
    for command, groups in _COMMANDS.items() if report.touches else ():
        yield from ((command, entry) for entry in islice(entries(report, groups), ANNOTATIONS))


def describe_unannotated(report: Report) -> str:
    """Return a sentence with the number of findings without annotation; "" if there are none."""
    if not report.touches:
        return ""
    left = len(report.findings) - sum(1 for _ in annotated_entries(report))
    return f"{left} not annotated, since GitHub shows at most {ANNOTATIONS} of a level for each step" if left else ""

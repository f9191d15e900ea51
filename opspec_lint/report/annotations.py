"""Which findings become annotations beside the code on GitHub, and how many do not.

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
"""Of each level and step."""

_COMMANDS = {"error": ("error",), "warning": ("warning",), "notice": ("newly waived", "approved", "note", "waived")}
"""Each with the groups of entries that it is for: what is waived or approved is never an error, whatever its level."""


def annotated(report: Report) -> Iterator[tuple[str, Entry]]:
    """Yield the entries that GitHub shows beside the code, the worst of each level, with their command.

    There are none if the change touches nothing that is checked: every change would have the same ones.
    """
    for command, groups in _COMMANDS.items() if report.touches else ():
        yield from ((command, entry) for entry in islice(entries(report, groups), ANNOTATIONS))


def left_out(report: Report) -> str:
    """Return how many findings are not annotated, in words; "" where all are."""
    if not report.touches:
        return ""
    left = len(report.findings) - sum(1 for _ in annotated(report))
    return f"{left} not annotated, since GitHub shows at most {ANNOTATIONS} of a level for each step" if left else ""

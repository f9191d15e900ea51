"""The summary as Markdown, for a comment or an issue."""

from __future__ import annotations

from opspec_lint.kit.text import one_line, plural
from opspec_lint.report.answers import VERDICTS
from opspec_lint.zoo.release_range import format_release_range
from opspec_lint.zoo.summary import outcomes_text
from opspec_lint.zoo.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.zoo.summary import Summary

_MOST = 50
"""Rows of a table; `--format json` has more."""


def render(summary: Summary) -> str:
    """Return a summary as Markdown."""
    return "\n".join([*_lines(summary), ""])


def _lines(summary: Summary) -> Iterator[str]:
    """Yield the lines of a summary in Markdown."""
    yield f"## Audit of {plural(summary.models, 'model')}"
    if summary.outcomes:
        yield from ("", outcomes_text(summary))
    yield from _table(
        ("Format", "Spec", "Loader", *VERDICTS),
        [
            (
                cell.format,
                cell.against,
                cell.loader or "",
                *(str(cell.verdicts.get(verdict, "")) for verdict in VERDICTS),
            )
            for cell in summary.cells
        ],
    )
    yield from _table(
        ("Models", "Op that stops them", "Spec", "Rules"),
        [
            (str(stopper.models), stopper.op, stopper.against, ", ".join(stopper.reasons))
            for stopper in summary.stoppers
        ],
    )
    yield from _table(
        ("Models", "Other reason that stops them", "Spec", "Loader", "Rule"),
        [
            (str(reason.models), reason.message, reason.against, reason.loader or "", reason.rule)
            for reason in summary.model_reasons
        ],
    )
    yield from _table(
        ("Models", "Loader", "Releases that load them"),
        [
            (str(end.models), end.loader, format_release_range(end.oldest, end.newest, is_unknown=end.is_unknown))
            for end in summary.ends
        ],
    )


def _table(head: Sequence[str], rows: Sequence[Iterable[str]]) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows[:_MOST]:
        yield f"| {' | '.join(map(_cell, row))} |"
    if len(rows) > _MOST:
        yield ""
        yield f"And {len(rows) - _MOST} more."


def _cell(text: str) -> str:
    """Return the text of a table cell with its markup escaped; names become code."""
    if not text or (text.isascii() and text.isdecimal()):
        return text
    plain = one_line(text).replace("`", "'").replace("|", "\\|")
    return f"`{plain}`"


VIEW = View(render=render)

"""The summary as plain text for the terminal."""

from __future__ import annotations

from opspec_lint.kit.text import columns, one_line, plural
from opspec_lint.report.answers import describe_verdicts
from opspec_lint.zoo.release_range import format_release_range
from opspec_lint.zoo.summary import outcomes_text
from opspec_lint.zoo.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.zoo.summary import Summary

_MOST = 20
"""Lines of a list; `--format json` has more."""


def render(summary: Summary) -> str:
    """Return a summary as text."""
    return "\n".join([*_lines(summary), ""])


def _lines(summary: Summary) -> Iterator[str]:
    """Yield the lines of a summary as plain text."""
    yield _head(summary)
    if summary.outcomes:
        yield outcomes_text(summary)
    yield from _table(
        "verdicts by format, spec and loader",
        [(cell.format, cell.against, cell.loader or "-", describe_verdicts(cell.verdicts)) for cell in summary.cells],
    )
    yield from _table(
        "ops that stop most models",
        [
            (str(stopper.models), stopper.op, stopper.against, ", ".join(stopper.reasons), f"such as {stopper.example}")
            for stopper in summary.stoppers
        ],
    )
    yield from _table(
        "other reasons that stop models",
        [
            (str(reason.models), reason.against, reason.loader or "-", f"{reason.message}  [{reason.rule}]")
            for reason in summary.model_reasons
        ],
    )
    yield from _table(
        "releases under which models load, of those that were asked",
        [
            (str(end.models), end.loader, format_release_range(end.oldest, end.newest, is_unknown=end.is_unknown))
            for end in summary.ends
        ],
    )
    unread = [(line.model, line.problem) for line in summary.lines if line.format == "unreadable"]
    yield from _table("models that cannot be read", unread)


def _head(summary: Summary) -> str:
    formats = ", ".join(f"{count} {name}" for name, count in sorted(summary.formats.items()))
    unread = [f"{summary.unread} unreadable"] if summary.unread else []
    others = f"; {plural(summary.others, 'file')} that are no models" if summary.others else ""
    return f"{plural(summary.models, 'model')}: {', '.join([*([formats] if formats else []), *unread])}{others}"


def _table(title: str, rows: Sequence[Iterable[str]]) -> Iterator[str]:
    """Yield a title and the rows below it, in columns as wide as their longest cell."""
    if not rows:
        return
    shown = [[one_line(cell) for cell in row] for row in rows[:_MOST]]
    yield ""
    yield f"{title}:"
    yield from (f"  {line}" for line in columns(shown))
    if len(rows) > _MOST:
        yield f"  and {len(rows) - _MOST} more; --format json has them"


VIEW = View(render=render)

"""Texts on the releases that added and removed something: `≤1.8.5` if the oldest release has it already."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.site.releases import Line
    from opspec_lint.site.timeline import Span

_OR_BEFORE = "≤"


def since(span: Span, line: Line) -> str:
    """Return the release that added something, after `≤` if an earlier release may have it."""
    return f"{_OR_BEFORE if span.is_older else ''}{line.releases[span.since].label}"


def until(span: Span, line: Line) -> str | None:
    """Return the first release without something; None if the newest release has it."""
    if span.until is None:
        return None
    return f"{_OR_BEFORE if span.is_gone_before else ''}{line.releases[span.until].label}"


def releases(first: int, last: int, line: Line) -> str:
    """Return consecutive releases as a text, by the places of the first and the last."""
    begin, end = line.releases[first].label, line.releases[last].label
    return begin if first == last else f"{begin} – {end}"  # noqa: RUF001 - a range


def dates(first: int, last: int, line: Line) -> tuple[str, ...]:
    """Return the known dates of the first and the last of consecutive releases."""
    return tuple(dict.fromkeys(day for place in (first, last) if (day := line.releases[place].date) is not None))


def stretch(span: Span, line: Line) -> str:
    """Return the releases of a span as a clause: the first, the last, and the one that removed it."""
    first = f"{line.releases[span.since].label}{' (or before)' if span.is_older else ''}"
    if span.until is None:
        if span.since == len(line.releases) - 1:
            return f"only in {first}, the newest release" if span.since else f"in {first}"
        return f"in every release from {first} to {line.newest.label}"
    last = line.releases[span.until - 1].label
    return f"from {first} to {last}, removed in {until(span, line)}"

"""Texts on the releases that added and removed something: `≤1.8.5` if the oldest release has it already."""

from __future__ import annotations

from opspec_lint.kit.text import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

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


def sentence(spans: Sequence[Span], line: Line, changes: int, breaks: int, *, may_differ: bool) -> str:
    """Return a sentence on the releases of an op, and how often it changed.

    Args:
        spans: the spans of releases that have it.
        line: the releases.
        changes: the number of releases that changed it.
        breaks: the number of releases that break saved models.
        may_differ: whether any other release may change the results of saved models.
    """
    stretches = [_stretch(span, line) for span in spans]
    presence = "; ".join(stretches)
    changed = f"changed in {plural(changes, 'release')}" if changes else "never changed"
    effects = [f"saved models broke {_times(breaks)}"] if breaks else []
    effects += ["what saved models compute may have changed"] if may_differ else []
    effect = " and ".join(effects) or ("no saved model broke" if changes else "")
    return f"{presence[:1].upper()}{presence[1:]}; {changed}{effect and ', '}{effect}."


def _stretch(span: Span, line: Line) -> str:
    if span.until is None:
        first = line.releases[span.since].label
        whole = span.is_older and span.since == 0
        return f"in every release since {first} or before" if whole else f"since {since(span, line)}"
    return f"from {since(span, line)} on, removed in {until(span, line)}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")

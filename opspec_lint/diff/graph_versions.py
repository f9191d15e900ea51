"""Compares the versions of the graph format, which decide whose saved graphs a release reads.

The rules are those of TensorFlow's versions.h, and of its guide on compatibility.
"""

from __future__ import annotations

from opspec_lint.diff.changes.graph_versions import graph_versions_changed, graphs_refused, loading_changed
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Literal

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import GraphVersions

_FIELDS = ("producer", "min_consumer", "min_producer", "bad_consumers")
_HALF_A_YEAR = 182
"""Days between raising the highest version of graphs and giving up all below it (TensorFlow's compatibility guide)."""


def refusal(graphs: GraphVersions, reader: GraphVersions) -> str | None:
    """Return the version field because of which a release does not read the graphs of another, None if it reads them.

    It reads them if it is not older than the graphs require, is not one of the consumers that they exclude, and still
    reads graphs of their version.
    """
    if graphs.producer < reader.min_producer:
        return "min_producer"
    if reader.producer < graphs.min_consumer:
        return "min_consumer"
    return "bad_consumers" if reader.producer in graphs.bad_consumers else None


def version_changes(before: GraphVersions, after: GraphVersions) -> Iterator[Fact]:
    """Yield the differences between the graph versions of base and head, and whose graphs are no longer read."""
    for field in _FIELDS if before.producer != after.producer else (*_FIELDS, "producer_since"):
        old, new = getattr(before, field), getattr(after, field)
        if old != new and None not in (old, new):
            too_early = field == "min_producer" and new > old and _too_early(before, after)
            yield graph_versions_changed(field, before, after, too_early=too_early)
    refused: tuple[tuple[Literal["old", "new"], str | None], ...] = (
        ("old", refusal(before, after)),
        ("new", refusal(after, before)),
    )
    for whose, reason in refused:
        if reason:
            yield graphs_refused(whose, reason, before, after)


def _too_early(before: GraphVersions, after: GraphVersions) -> bool:
    """Tell whether head certainly gives up versions within half a year of the first graph of its lowest version.

    Graphs of that version were first written on base's day, if it is base's version, or later, if it is a newer one. A
    head of base's version and day does not tell when it gave the others up.
    """
    first, last = before.producer_since, after.producer_since
    if before.producer > after.min_producer or first is None or last is None:
        return False
    if (before.producer, first) == (after.producer, last):
        return False
    from datetime import date

    return (date.fromisoformat(last) - date.fromisoformat(first)).days < _HALF_A_YEAR


def loading_changes(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[Fact]:
    """Yield what both sides say of a loader in another way; what one alone says is a fact of `diff.knowledge`."""
    for name in sorted(before.keys() & after.keys()):
        if not values.same(before[name], after[name]):
            yield loading_changed(name, before[name], after[name])

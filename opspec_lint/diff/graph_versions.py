"""Comparison of the versions of the graph format, which decide which saved graphs a release reads.

The rules come from tensorflow/core/public/version.h, and from TensorFlow's guide on version compatibility.
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
"""The fewest days from raising the graph version to dropping lower ones (TensorFlow's compatibility guide)."""


def refusal(graphs: GraphVersions, reader: GraphVersions) -> str | None:
    """Return the version field that makes a release refuse the graphs of another, None if it reads them.

    It reads them if it is not older than the graphs require, if the graphs do not exclude its version, and if their
    version is not below the lowest that it reads.
    """
    if graphs.producer < reader.min_producer:
        return "min_producer"
    if reader.producer < graphs.min_consumer:
        return "min_consumer"
    return "bad_consumers" if reader.producer in graphs.bad_consumers else None


def version_changes(before: GraphVersions, after: GraphVersions) -> Iterator[Fact]:
    """Yield the differences between two graph versions, and whose graphs the other side refuses."""
    # The date belongs to the version: if the version was raised, the date differs as a matter of course.
    fields = (*_FIELDS, "producer_since") if before.producer == after.producer else _FIELDS
    for field in fields:
        old, new = getattr(before, field), getattr(after, field)
        if old != new and None not in (old, new):
            too_early = field == "min_producer" and new > old and _too_early(before, after)
            yield graph_versions_changed(field, before, after, too_early=too_early)
    refusals: tuple[tuple[Literal["old", "new"], str | None], ...] = (
        ("old", refusal(before, after)),
        ("new", refusal(after, before)),
    )
    for writer, reason in refusals:
        if reason:
            yield graphs_refused(writer, reason, before, after)


def _too_early(before: GraphVersions, after: GraphVersions) -> bool:
    """Return whether head certainly drops versions earlier than half a year after its lowest was first written.

    If base writes head's lowest version or a lower one, such graphs are at least as new as base's date. If head has the
    version and the date of base, it does not tell when it dropped the lower versions.
    """
    first, last = before.producer_since, after.producer_since
    if before.producer > after.min_producer or first is None or last is None:
        return False
    if (before.producer, first) == (after.producer, last):
        return False
    from datetime import date

    return (date.fromisoformat(last) - date.fromisoformat(first)).days < _HALF_A_YEAR


def loading_changes(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[Fact]:
    """Yield the values that decide about loading and differ, of those that both sides state."""
    for name in sorted(before.keys() & after.keys()):
        if not values.same(before[name], after[name]):
            yield loading_changed(name, before[name], after[name])

"""The facts about the numbers that decide which saved graphs a release reads and writes."""

from __future__ import annotations

from opspec_lint.diff.changes.whole_specs import spec_fact
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import GraphVersions

_EVENTS: Mapping[str, tuple[EventId, EventId]] = {
    "producer": ("graph_version_raised", "graph_version_lowered"),
    "min_consumer": ("min_consumer_raised", "min_consumer_lowered"),
    "min_producer": ("min_producer_raised", "min_producer_lowered"),
    "bad_consumers": ("bad_consumers_changed", "bad_consumers_changed"),
    "producer_since": ("producer_since_changed", "producer_since_changed"),
}
"""The events of the numbers, by whether one was raised."""
_REFUSED: Mapping[str, EventId] = {"old": "old_graphs_refused", "new": "new_graphs_refused"}


def graph_versions_changed(field: str, before: GraphVersions, after: GraphVersions, *, too_early: bool = False) -> Fact:
    """Return that a number differs which decides which saved graphs a release reads and writes.

    Args:
        field: the number.
        before: the graph versions of base as a whole.
        after: those of head.
        too_early: whether it comes sooner than half a year after graphs of head's lowest version were first written.
    """
    old, new = getattr(before, field), getattr(after, field)
    raised, lowered = _EVENTS[field]
    facts = {"name": field, "old": values.show(old), "new": values.show(new), "too_early": too_early}
    return spec_fact(raised if new > old else lowered, field, facts | _written(before, after), (old, new))


def loading_changed(name: str, old: object, new: object) -> Fact:
    """Return that something else differs that a loader decides by, and of which both sides speak."""
    facts = {"name": name, "old": values.show(old), "new": values.show(new)}
    return spec_fact("loading_changed", f"loading.{name}", facts, (old, new))


def graphs_refused(graphs: Literal["old", "new"], field: str, before: GraphVersions, after: GraphVersions) -> Fact:
    """Return that one release reads no graph that the other writes, for its version.

    Args:
        graphs: whose graphs those are, the "old" release's or the "new" one's.
        field: the number that is in the way.
        before: the graph versions of base.
        after: those of head.
    """
    return spec_fact(_REFUSED[graphs], field, {"name": field, **_written(before, after)})


def _written(before: GraphVersions, after: GraphVersions) -> dict[str, object]:
    return {
        "written": after.producer,
        "written_before": before.producer,
        "since": after.producer_since,
        "first": before.producer_since,
    }

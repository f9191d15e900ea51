"""Constructors of facts about the versions of the graph format that releases write and read."""

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
    """Return the fact that a version field differs, such as `producer`.

    Args:
        field: the version field.
        before: all graph versions of base.
        after: all graph versions of head.
        too_early: whether head drops versions within half a year after graphs of its lowest version were first written.
    """
    old, new = getattr(before, field), getattr(after, field)
    raised, lowered = _EVENTS[field]
    facts = {"name": field, "old": values.show(old), "new": values.show(new), "too_early": too_early}
    return spec_fact(raised if new > old else lowered, field, facts | _producer_facts(before, after), (old, new))


def loading_changed(name: str, old: object, new: object) -> Fact:
    """Return the fact that both sides state a value of `loading`, and it differs."""
    facts = {"name": name, "old": values.show(old), "new": values.show(new)}
    return spec_fact("loading_changed", f"loading.{name}", facts, (old, new))


def graphs_refused(graphs: Literal["old", "new"], field: str, before: GraphVersions, after: GraphVersions) -> Fact:
    """Return the fact that one release refuses, for their version, all graphs that the other release writes.

    Args:
        graphs: the writer of the graphs: the "old" release or the "new" one.
        field: the version field because of which they are refused.
        before: the graph versions of base.
        after: the graph versions of head.
    """
    return spec_fact(_REFUSED[graphs], field, {"name": field, **_producer_facts(before, after)})


def _producer_facts(before: GraphVersions, after: GraphVersions) -> dict[str, object]:
    """Return the versions that both releases write and since when, for templates."""
    return {
        "written": after.producer,
        "written_before": before.producer,
        "since": after.producer_since,
        "first": before.producer_since,
    }

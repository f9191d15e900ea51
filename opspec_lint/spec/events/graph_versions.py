"""The events about graph versions, which decide which saved graphs a release reads."""

from __future__ import annotations

from opspec_lint.spec.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "bad_consumers_changed": Event(
        mirrors=("bad_consumers_changed",), facts=("new", "old"), is_of_op=False, of_graphs=True
    ),
    "graph_version_lowered": Event(
        mirrors=("graph_version_raised",), facts=("new", "old"), is_of_op=False, of_graphs=True
    ),
    "graph_version_raised": Event(
        mirrors=("graph_version_lowered",), facts=("new", "old"), is_of_op=False, of_graphs=True
    ),
    "loading_changed": Event(mirrors=("loading_changed",), facts=("new", "old"), is_of_op=False),
    "min_consumer_lowered": Event(
        mirrors=("min_consumer_raised",), facts=("new", "old"), is_of_op=False, of_graphs=True
    ),
    "min_consumer_raised": Event(
        mirrors=("min_consumer_lowered",), facts=("new", "old"), is_of_op=False, of_graphs=True
    ),
    "min_producer_lowered": Event(
        mirrors=("min_producer_raised",), facts=("new", "old"), is_of_op=False, of_graphs=True
    ),
    "min_producer_raised": Event(
        mirrors=("min_producer_lowered",), facts=("first", "new", "old", "since"), is_of_op=False, of_graphs=True
    ),
    "new_graphs_refused": Event(
        mirrors=("old_graphs_refused",), facts=("written_before",), is_of_op=False, of_graphs=True
    ),
    "old_graphs_refused": Event(
        mirrors=("new_graphs_refused",), facts=("written_before",), is_of_op=False, of_graphs=True
    ),
    "producer_since_changed": Event(
        mirrors=("producer_since_changed",), facts=("new", "old", "written"), is_of_op=False
    ),
}

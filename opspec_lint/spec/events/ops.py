"""The events about an op as a whole."""

from __future__ import annotations

from opspec_lint.spec.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "builds_gained": Event(mirrors=("builds_lost",), facts=("builds",)),
    "builds_lost": Event(mirrors=("builds_gained", "builds_lost"), facts=("builds", "left")),
    "deprecation_changed": Event(mirrors=("deprecation_changed",), facts=("new", "old")),
    "op_added": Event(mirrors=("op_removed",), facts=("predecessor",)),
    "op_condition_added": Event(mirrors=("op_condition_added", "op_condition_dropped"), facts=("new", "old")),
    "op_condition_dropped": Event(mirrors=("op_condition_added",), facts=("new", "old")),
    "op_invalid": Event(mirrors=("op_valid",), facts=("reason",)),
    "op_removed": Event(mirrors=("op_added",), facts=("graph_version", "successor"), is_removal=True),
    "op_valid": Event(mirrors=("op_invalid",), facts=("old",)),
}

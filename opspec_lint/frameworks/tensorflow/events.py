"""The events that only occur with TensorFlow's specs."""

from __future__ import annotations

from opspec_lint.spec.event import Event, event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "detail_changed": Event(mirrors=("detail_changed",), facts=("field", "new", "old")),
    "op_flag_cleared": Event(mirrors=("op_flag_set",), facts=("field",)),
    "op_flag_set": Event(mirrors=("op_flag_cleared",), facts=("field",)),
    "op_list_stale": event_outside_contract("reason"),
}

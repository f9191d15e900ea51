"""The events about the reading of a source."""

from __future__ import annotations

from opspec_lint.spec.event import event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "op_still_unresolved": event_outside_contract("reason"),
    "op_unresolved": event_outside_contract("reason"),
}

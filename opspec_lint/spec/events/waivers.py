"""The events about waivers."""

from __future__ import annotations

from opspec_lint.spec.event import event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "waiver_expired": event_outside_contract("expires", "owner", "what"),
    "waiver_incomplete": event_outside_contract("lacking", "what"),
    "waiver_outdated": event_outside_contract("difference", "fingerprint", "what"),
    "waiver_too_broad": event_outside_contract("count", "covers", "what"),
    "waiver_unknown_rule": event_outside_contract("advice", "what"),
    "waiver_unused": event_outside_contract("new", "what", "why"),
}

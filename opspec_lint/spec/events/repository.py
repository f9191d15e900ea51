"""The events about the files and settings of a repository."""

from __future__ import annotations

from opspec_lint.spec.event import event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "base_setting_invalid": event_outside_contract("problem"),
    "base_unreadable": event_outside_contract("instead", "problem"),
    "nothing_compared": event_outside_contract("base"),
    "policy_changed": event_outside_contract("in_force", "new", "old"),
    "release_too_small": event_outside_contract("least", "next", "part", "reason", "released"),
    "spec_added": event_outside_contract("ops", "what"),
    "spec_removed": event_outside_contract("lost"),
}

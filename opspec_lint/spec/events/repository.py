"""The events about the files and settings of a repository."""

from __future__ import annotations

from opspec_lint.spec.event import outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "base_setting_invalid": outside("problem"),
    "nothing_compared": outside("base"),
    "policy_changed": outside("in_force", "new", "old"),
    "release_too_small": outside("least", "next", "part", "reason", "released"),
    "spec_added": outside("ops", "what"),
    "spec_removed": outside("lost"),
}

"""The events about waivers."""

from __future__ import annotations

from opspec_lint.spec.event import outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "waiver_expired": outside("expires", "owner", "what"),
    "waiver_incomplete": outside("lacking", "what"),
    "waiver_outdated": outside("difference", "fingerprint", "what"),
    "waiver_too_broad": outside("count", "covers", "what"),
    "waiver_unknown_rule": outside("advice", "what"),
    "waiver_unused": outside("new", "what", "why"),
}

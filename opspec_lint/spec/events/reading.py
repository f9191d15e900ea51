"""The events about the reading of a source."""

from __future__ import annotations

from opspec_lint.spec.event import outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "op_still_unresolved": outside("reason"),
    "op_unresolved": outside("reason"),
}

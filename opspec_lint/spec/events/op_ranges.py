"""The events about the versions of an op that a release runs."""

from __future__ import annotations

from opspec_lint.spec.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "kernel_added": Event(mirrors=("kernel_removed",), facts=("new",)),
    "kernel_removed": Event(mirrors=("kernel_added",), facts=("old",)),
    "max_version_lowered": Event(mirrors=("max_version_raised",), facts=("new", "old")),
    "max_version_raised": Event(mirrors=("max_version_lowered",), facts=("new", "old")),
    "min_version_lowered": Event(mirrors=("min_version_raised",), facts=("new", "old")),
    "min_version_raised": Event(mirrors=("min_version_lowered",), facts=("new", "old")),
}

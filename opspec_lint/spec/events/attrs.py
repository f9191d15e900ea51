"""The events about attrs: their types, default values and limits."""

from __future__ import annotations

from opspec_lint.spec.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "allowed_values_narrowed": Event(mirrors=("allowed_values_narrowed", "allowed_values_widened"), facts=("lost",)),
    "allowed_values_reordered": Event(mirrors=("allowed_values_reordered",), facts=("new",)),
    "allowed_values_widened": Event(mirrors=("allowed_values_narrowed", "allowed_values_widened"), facts=("gained",)),
    "attr_added_with_default": Event(mirrors=("attr_removed",), facts=("new",)),
    "attr_added_without_default": Event(mirrors=("attr_removed",)),
    "attr_default_added": Event(mirrors=("attr_default_removed",), facts=("new",)),
    "attr_default_added_late": Event(mirrors=("attr_default_removed",), facts=("new",)),
    "attr_default_changed": Event(mirrors=("attr_default_changed",), facts=("new", "old")),
    "attr_default_removed": Event(mirrors=("attr_default_added", "attr_default_added_late"), facts=("old",)),
    "attr_removed": Event(mirrors=("attr_added_with_default", "attr_added_without_default"), is_removal=True),
    "attr_renamed": Event(mirrors=("attr_renamed",), facts=("confidence", "new_name", "was_renamed")),
    "attr_type_changed": Event(mirrors=("attr_type_changed",), facts=("new", "old")),
    "maximum_lowered": Event(mirrors=("maximum_raised",), facts=("new", "old")),
    "maximum_raised": Event(mirrors=("maximum_lowered",), facts=("new", "old")),
    "minimum_lowered": Event(mirrors=("minimum_raised",), facts=("new", "old")),
    "minimum_raised": Event(mirrors=("minimum_lowered",), facts=("new", "old")),
}

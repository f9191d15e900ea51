"""The events about inputs, outputs and attrs: additions and removals, names, order, flags and types."""

from __future__ import annotations

from opspec_lint.spec.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "argument_name_changed": Event(mirrors=("argument_name_changed",), facts=("new", "old")),
    "argument_order_changed": Event(mirrors=("argument_order_changed",), facts=("new", "old")),
    "argument_type_changed": Event(
        mirrors=("argument_type_changed", "argument_type_generalised"), facts=("new", "old")
    ),
    "argument_type_generalised": Event(mirrors=("argument_type_changed",), facts=("new", "old")),
    "arguments_swapped": Event(mirrors=("arguments_swapped",), facts=("new", "old")),
    "dispensable_cleared": Event(mirrors=("dispensable_set",)),
    "dispensable_set": Event(mirrors=("dispensable_cleared",)),
    "duplicable_cleared": Event(mirrors=("duplicable_set",)),
    "duplicable_set": Event(mirrors=("duplicable_cleared",)),
    "extra_cleared": Event(mirrors=("extra_set",)),
    "extra_cleared_not_optional": Event(mirrors=("extra_set",)),
    "extra_set": Event(mirrors=("extra_cleared", "extra_cleared_not_optional")),
    "extra_unsaid": Event(one_sided="that head says what base does not is knowledge, and no change of the op"),
    "input_added_dispensable": Event(mirrors=("input_removed",)),
    "input_added_not_dispensable": Event(mirrors=("input_removed",)),
    "input_moved": Event(mirrors=("output_moved",)),
    "input_ref_cleared": Event(mirrors=("input_ref_set",)),
    "input_ref_set": Event(mirrors=("input_ref_cleared",)),
    "input_removed": Event(mirrors=("input_added_dispensable", "input_added_not_dispensable"), is_removal=True),
    "input_renamed": Event(mirrors=("input_renamed",), facts=("confidence", "new_name", "was_renamed")),
    "output_added_dispensable": Event(mirrors=("output_removed",)),
    "output_added_not_dispensable": Event(mirrors=("output_removed",)),
    "output_moved": Event(mirrors=("input_moved",)),
    "output_ref_cleared": Event(mirrors=("output_ref_set",)),
    "output_ref_set": Event(mirrors=("output_ref_cleared",)),
    "output_removed": Event(mirrors=("output_added_dispensable", "output_added_not_dispensable"), is_removal=True),
    "output_renamed": Event(mirrors=("output_renamed",), facts=("confidence", "new_name", "was_renamed")),
}

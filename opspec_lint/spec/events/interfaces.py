"""The events about the interfaces of saved models: signatures, functions, graphs and their traces."""

from __future__ import annotations

from opspec_lint.spec.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "callable_added": Event(mirrors=("callable_removed",), facts=("what",)),
    "callable_removed": Event(mirrors=("callable_added",), facts=("what", "who")),
    "called_as_changed": Event(mirrors=("called_as_changed",), facts=("new", "old", "who")),
    "dtype_changed": Event(mirrors=("dtype_changed",), facts=("new", "old", "who")),
    "input_signature_cleared": Event(mirrors=("input_signature_set",)),
    "input_signature_set": Event(mirrors=("input_signature_cleared",)),
    "method_changed": Event(mirrors=("method_changed",), facts=("new", "old", "who")),
    "parameter_added": Event(mirrors=("parameter_removed",), facts=("who",)),
    "parameter_added_optional": Event(mirrors=("parameter_removed",)),
    "parameter_default_added": Event(mirrors=("parameter_default_removed",), facts=("new",)),
    "parameter_default_changed": Event(mirrors=("parameter_default_changed",), facts=("new", "old", "then", "who")),
    "parameter_default_removed": Event(mirrors=("parameter_default_added",), facts=("old", "who")),
    "parameter_made_keyword": Event(mirrors=("parameter_made_positional",), facts=("who",)),
    "parameter_made_positional": Event(mirrors=("parameter_made_keyword",)),
    "parameter_order_changed": Event(mirrors=("parameter_order_changed",), facts=("new", "old", "who")),
    "parameter_passed_otherwise": Event(mirrors=("parameter_passed_otherwise",), facts=("new", "old", "who")),
    "parameter_removed": Event(mirrors=("parameter_added", "parameter_added_optional"), facts=("who",)),
    "parameter_renamed": Event(mirrors=("parameter_renamed",), facts=("new_name", "who")),
    "result_added": Event(mirrors=("result_removed",)),
    "result_dtype_changed": Event(mirrors=("result_dtype_changed",), facts=("new", "old", "who")),
    "result_order_changed": Event(mirrors=("result_order_changed",), facts=("new", "old", "who")),
    "result_removed": Event(mirrors=("result_added",), facts=("who",)),
    "result_renamed": Event(mirrors=("result_renamed",), facts=("new_name", "who")),
    "result_said": Event(mirrors=("result_unsaid",), facts=("new",)),
    "result_shape_changed": Event(mirrors=("result_shape_changed",), facts=("new", "old", "who")),
    "result_shape_narrowed": Event(mirrors=("result_shape_widened",), facts=("new", "old")),
    "result_shape_widened": Event(mirrors=("result_shape_narrowed",), facts=("new", "old", "who")),
    "result_structure_changed": Event(mirrors=("result_structure_changed",), facts=("new", "old", "who")),
    "result_unsaid": Event(mirrors=("result_said",), facts=("old", "who")),
    "shape_changed": Event(mirrors=("shape_changed",), facts=("new", "old", "who")),
    "shape_narrowed": Event(mirrors=("shape_widened",), facts=("new", "old", "who")),
    "shape_unchecked": Event(mirrors=("shape_unchecked", "shape_widened"), facts=("new", "old", "who")),
    "shape_widened": Event(mirrors=("shape_narrowed", "shape_unchecked"), facts=("new", "old")),
    "structure_changed": Event(mirrors=("structure_changed",), facts=("new", "old", "who")),
    "tags_changed": Event(mirrors=("tags_changed",), facts=("new", "old", "who")),
    "trace_added": Event(mirrors=("trace_removed",)),
    "trace_added_drawing": Event(
        one_sided="what is converted again, since a trace is gone, is a change of its dtype", facts=("new", "who")
    ),
    "trace_removed": Event(mirrors=("trace_added",), facts=("who",)),
    "value_became_tensor": Event(
        one_sided="a tensor that becomes a value of Python loses the traces of all others", facts=("new", "old")
    ),
}

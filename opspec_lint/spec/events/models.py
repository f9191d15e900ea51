"""The events about what a loader meets in a saved model."""

from __future__ import annotations

from opspec_lint.spec.event import outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "model_asset": outside("problem"),
    "model_attr_converted": outside("declared", "given", "made"),
    "model_attr_default_differs": outside("filled", "saved"),
    "model_attr_filled": outside("value"),
    "model_attr_ignored": outside("default", "value"),
    "model_attr_missing": outside(),
    "model_attr_type": outside("declared", "given"),
    "model_attr_unknown": outside("remedy"),
    "model_attr_unsaid": outside("filled"),
    "model_attr_value": outside("problem", "value"),
    "model_broadcast_changed": outside("axis", "reader", "x", "y"),
    "model_checkpoint_corrupt": outside("problem"),
    "model_checkpoint_dtype": outside("problem"),
    "model_checkpoint_key": outside("problem"),
    "model_checkpoint_missing": outside("problem"),
    "model_checkpoint_shape": outside("problem"),
    "model_const_type": outside("declared", "given"),
    "model_device": outside("problem"),
    "model_function_conflict": outside("problem"),
    "model_function_missing": outside("problem"),
    "model_function_recursive": outside("problem"),
    "model_fusion_refused": outside("problem", "reader"),
    "model_graph_version": outside("problem", "remedy"),
    "model_header": outside("problem", "remedy"),
    "model_input_count": outside("expected", "given"),
    "model_input_missing": outside("problem"),
    "model_input_type": outside("expected", "given"),
    "model_input_unknown": outside(),
    "model_keras_format": outside("problem", "remedy"),
    "model_no_inputs": outside(),
    "model_node_name": outside("problem"),
    "model_not_fetched": outside("problem", "remedy"),
    "model_not_judged": outside("problem", "remedy"),
    "model_object_graph": outside("problem"),
    "model_op_deprecated": outside("explanation", "producer", "since"),
    "model_op_rewritten": outside(),
    "model_op_unknown": outside("remedy"),
    "model_op_version": outside("given", "greatest", "least"),
    "model_optimizer_slots": outside("problem", "remedy"),
    "model_output_count": outside("expected", "given"),
    "model_output_missing": outside(),
    "model_reader_missing": outside("problem", "remedy"),
    "model_signature": outside("problem", "remedy"),
    "model_tags": outside("asked", "known"),
    "model_type_unknown": outside("problem"),
    "model_uninitialized": outside(),
    "model_unreadable": outside("problem", "remedy"),
    "model_wiring": outside("problem", "remedy"),
}

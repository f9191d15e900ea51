"""The events about faults that a loader finds in a saved model."""

from __future__ import annotations

from opspec_lint.spec.event import event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "model_asset": event_outside_contract("problem"),
    "model_attr_converted": event_outside_contract("declared", "given", "made"),
    "model_attr_default_differs": event_outside_contract("filled", "saved"),
    "model_attr_filled": event_outside_contract("value"),
    "model_attr_ignored": event_outside_contract("default", "value"),
    "model_attr_missing": event_outside_contract(),
    "model_attr_type": event_outside_contract("declared", "given"),
    "model_attr_unknown": event_outside_contract("remedy"),
    "model_attr_unsaid": event_outside_contract("filled"),
    "model_attr_value": event_outside_contract("problem", "value"),
    "model_broadcast_changed": event_outside_contract("axis", "reader", "x", "y"),
    "model_checkpoint_corrupt": event_outside_contract("problem"),
    "model_checkpoint_dtype": event_outside_contract("problem"),
    "model_checkpoint_key": event_outside_contract("problem"),
    "model_checkpoint_missing": event_outside_contract("problem"),
    "model_checkpoint_shape": event_outside_contract("problem"),
    "model_const_type": event_outside_contract("declared", "given"),
    "model_device": event_outside_contract("problem"),
    "model_function_conflict": event_outside_contract("problem"),
    "model_function_missing": event_outside_contract("problem"),
    "model_function_recursive": event_outside_contract("problem"),
    "model_fusion_refused": event_outside_contract("problem", "reader"),
    "model_graph_version": event_outside_contract("problem", "remedy"),
    "model_header": event_outside_contract("problem", "remedy"),
    "model_input_count": event_outside_contract("expected", "given"),
    "model_input_missing": event_outside_contract("problem"),
    "model_input_type": event_outside_contract("expected", "given"),
    "model_input_unknown": event_outside_contract(),
    "model_keras_format": event_outside_contract("problem", "remedy"),
    "model_no_inputs": event_outside_contract(),
    "model_node_name": event_outside_contract("problem"),
    "model_not_fetched": event_outside_contract("problem", "remedy"),
    "model_not_judged": event_outside_contract("problem", "remedy"),
    "model_object_graph": event_outside_contract("problem"),
    "model_op_deprecated": event_outside_contract("explanation", "producer", "since"),
    "model_op_rewritten": event_outside_contract(),
    "model_op_unknown": event_outside_contract("remedy"),
    "model_op_version": event_outside_contract("given", "greatest", "least"),
    "model_optimizer_slots": event_outside_contract("problem", "remedy"),
    "model_output_count": event_outside_contract("expected", "given"),
    "model_output_missing": event_outside_contract("remedy"),
    "model_reader_missing": event_outside_contract("problem", "remedy"),
    "model_signature": event_outside_contract("problem", "remedy"),
    "model_tags": event_outside_contract("asked", "known"),
    "model_type_unknown": event_outside_contract("problem"),
    "model_uninitialized": event_outside_contract(),
    "model_unreadable": event_outside_contract("problem", "remedy"),
    "model_wiring": event_outside_contract("problem", "remedy"),
}

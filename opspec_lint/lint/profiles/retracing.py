"""The profile `retracing`: hazards of retracing in the functions of a saved model, as in the guide to tf.function.

Of two models, it reports the hazards that the new one adds. Rules about callers are off: see the profile `serving`.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.ids import RuleId

_OF_CALLERS: tuple[RuleId, ...] = (
    *("called_as_changed", "callable_added", "callable_removed", "dtype_changed", "input_signature_cleared"),
    *("input_signature_set", "method_changed", "parameter_added", "parameter_passed_otherwise", "result_said"),
    "result_unsaid",
    *("parameter_added_optional", "parameter_default_added", "parameter_default_changed", "parameter_default_removed"),
    *("parameter_made_keyword", "parameter_made_positional", "parameter_order_changed", "parameter_removed"),
    *("parameter_renamed", "result_added", "result_dtype_changed", "result_order_changed", "result_removed"),
    *("result_renamed", "result_shape_changed", "result_shape_narrowed", "result_shape_widened"),
    *(
        "result_structure_changed",
        "shape_changed",
        "shape_narrowed",
        "shape_unchecked",
        "shape_widened",
        "structure_changed",
    ),
    *("tags_changed", "trace_added", "trace_added_drawing", "trace_removed", "value_became_tensor"),
)

PROFILE = Profile(
    summary="hazards of retracing in the functions of a saved model",
    levels=dict.fromkeys(_OF_CALLERS, "off"),
)

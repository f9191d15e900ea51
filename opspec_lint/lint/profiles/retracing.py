"""Hazards of retracing in the functions of a saved model: what the guide to tf.function warns of.

Of two models, those that the new one adds. What a change does to callers is not looked at; `serving` does that.
"""

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    name="retracing",
    summary="hazards of retracing in the functions of a saved model",
    levels={
        "argument_is_object": "warning",
        "function_untraced": "warning",
        "retraced_per_dtype": "note",
        "retraced_per_shape": "warning",
        "retraced_per_value": "warning",
        "string_argument": "note",
        "trace_count_changed": "note",
        "trace_static": "warning",
        "value_untraced": "note",
    },
    ceiling="off",
)

"""The profile `serving`: levels for callers of a saved model (functions, signatures, sessions) after a new export.

An error makes a call of the old model fail on the new one, or returns something else to the caller. Additional inputs
and results of the new model are notes, and so are new hazards of retracing.
"""

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="the callers of a saved model that a new export breaks",
    levels={
        "argument_is_object": "note",
        "function_untraced": "note",
        "retraced_per_shape": "note",
        "retraced_per_value": "note",
        "trace_static": "note",
    },
    default_for=("interface",),
)

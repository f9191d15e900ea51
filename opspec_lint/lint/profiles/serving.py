"""What a new export of a model does to those who call the old one: functions, signatures and sessions.

An error is whatever makes a call of the old model fail on the new one, or gives its caller something else to read. What
the new model takes or gives besides is a note, and so are hazards of retracing that are new.
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

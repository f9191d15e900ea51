"""TensorFlow's own rules and the forward direction: whatever breaks an old graph on head or a new one on base."""

from opspec_lint.findings import worst
from opspec_lint.profiles.tensorflow import PROFILE as BACKWARD
from opspec_lint.profiles.tensorflow_forward import PROFILE as FORWARD

PROFILE = BACKWARD.but(
    name="tensorflow-both",
    summary="TensorFlow's own rules, and new graphs on an old release",
    levels={
        rule: worst(*(profile.levels[rule] for profile in (BACKWARD, FORWARD) if rule in profile.levels))
        for rule in sorted({*BACKWARD.levels, *FORWARD.levels})
    },
    default_for=(),
)

"""The profile for saved PIR programs in Paddle's loaders: `paddle-pir` without the rules about translated programs."""

from opspec_lint.frameworks.paddle_pir.profiles.paddle_pir import PROFILE as PADDLE_PIR

_OF_LEGACY_PROGRAMS = ("legacy_form_changed", "legacy_name_changed", "legacy_names_gained", "legacy_names_lost")
"""Events about programs that are translated to PIR; they do not affect saved PIR programs."""

PROFILE = PADDLE_PIR.replace(
    summary="what stops a saved PIR program in Paddle's loaders",
    levels={**PADDLE_PIR.levels, **dict.fromkeys(_OF_LEGACY_PROGRAMS, "off")},
    default_for=(),
)

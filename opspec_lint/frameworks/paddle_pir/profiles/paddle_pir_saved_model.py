"""What stops a saved PIR program, by the measured rules of Paddle's loaders: what `paddle-pir` has of them."""

from opspec_lint.frameworks.paddle_pir.profiles.paddle_pir import PROFILE as PADDLE_PIR

_OF_LEGACY_PROGRAMS = ("legacy_form_changed", "legacy_name_changed", "legacy_names_gained", "legacy_names_lost")
"""What concerns the programs that are translated to PIR, and no saved PIR program."""

PROFILE = PADDLE_PIR.replace(
    summary="what stops a saved PIR program in Paddle's loaders",
    levels={**PADDLE_PIR.levels, **dict.fromkeys(_OF_LEGACY_PROGRAMS, "off")},
    default_for=(),
)

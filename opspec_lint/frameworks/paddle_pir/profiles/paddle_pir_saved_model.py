"""What stops a saved PIR program, by the measured rules of Paddle's loaders: what `paddle-pir` has, and no more."""

from opspec_lint.frameworks.paddle_pir.profiles.paddle_pir import PROFILE as PADDLE_PIR

PROFILE = PADDLE_PIR.but(
    name="paddle-pir-saved-model", summary="what stops a saved PIR program in Paddle's loaders", default_for=()
)

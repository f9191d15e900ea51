"""What becomes of a `.pdmodel` when Paddle 3 translates it to PIR.

Base is the release that saved the model, head the PIR ops of the release that loads it: `check paddle@2.6.2
paddle-pir@3.0.0`. What is refused is an error, and so is an attr that is filled in with a value that is not its
default. Ops with a translator of their own that is not known are notes. Backward ops are left out, as a model for
inference does not have any.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="what the translation to PIR makes of a release's ops",
    levels={},
)

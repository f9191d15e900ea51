"""The policy for the translation of `.pdmodel` files to PIR by Paddle 3.

Base is the release that saved the model, head the PIR ops of the release that loads it: `check paddle@2.6.2
paddle-pir@3.0.0`. Refusals are errors, and so is an attr that is filled with a value other than its default. Ops with
an unknown special translator are notes. Gradients are left out, since models for inference have none.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="what the translation to PIR makes of a release's ops",
    levels={},
)

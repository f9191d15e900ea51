"""The profile `saved-model`: levels that follow the measured behaviour of the framework's own loaders.

It is an alias for one profile per framework, such as `paddle-saved-model`. At an error, the loader of head refuses a
model that base writes, crashes, or silently reads something else. At a warning, the loader accepts such a model but may
compute something else, or only older or hand-made models break. At a note, no saved model breaks.
"""

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="what stops a saved model, by the loaders of the framework",
    levels={},
    is_shared=True,
)

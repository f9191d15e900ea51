"""What stops a saved model on the new release: the rules of the framework's own loaders, as they were measured.

The name stands for one profile of each framework, such as `paddle-saved-model`. In each of them an error is what the
loader refuses, crashes on, or silently reads as something else, in a model that base writes. A warning is what it takes
and may compute otherwise, or what only models break by that are older than base or were made by hand. A note breaks no
saved model.
"""

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="what stops a saved model, by the loaders of the framework",
    levels={},
    is_shared=True,
)

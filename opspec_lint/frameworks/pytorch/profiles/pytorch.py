"""The policy of PyTorch's own check of two releases (check_forward_backward_compatibility.py).

Errors are a removed op, and what `isBackwardCompatibleWith` refuses. Warnings are what only
`check_forward_compatible_with` refuses. A change that both accept is a note, and so is a break of old calls for which
the release has an upgrader. The predicates overlook a removed argument at the end, changed returns for new calls, and a
required argument behind an out argument: the profile `pytorch-sound` does not.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.compare.verdicts import at_most, refused
from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="what PyTorch's check of two releases refuses",
    levels={
        **dict.fromkeys(
            ("op_added", "deprecation_changed", "op_tags_gained", "op_tags_lost", "loading_changed"), "note"
        ),
        "op_removed": "error",
    },
    breaks=refused,
    at_most=at_most(refused),
    default_for=("pytorch",),
)

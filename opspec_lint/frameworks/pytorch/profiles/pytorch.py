"""What PyTorch's own check says of two releases.

An error is what `isBackwardCompatibleWith` refuses, and an op that is gone. A warning is what
`check_forward_compatible_with` refuses besides. Whatever both accept is a note, and so is a break of old calls that an
upgrader serves. The predicates do not look at a removed argument at the end, at other returns for new calls, and at a
required argument behind an out argument: `pytorch-sound` does.
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

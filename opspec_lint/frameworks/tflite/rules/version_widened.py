"""The converter writes a version for a further feature.

Flags:
    A version that base's kernels take, and that head's converter also returns under a condition that base's does not
    have. A condition that only got another form, such as `dims > 6` for `rank > 6`, is none.

Why it breaks:
    A version marks a feature of an op. A runtime of base takes a model with the version, and has no code for the
    feature that was added to it: the model is not refused when it is loaded, but fails when it runs.

Instead:
    Give the feature a new version, unless no release has this version yet.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="the converter writes {versions} of '{op}' for a further feature: {more}",
    witness="a runtime of base takes {versions} of '{op}', which was written for {old}, and fails at {more}",
    advice="return a new version of '{op}' for {more}, unless no release has {versions} yet",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "conditions": {"2": "rank > 6"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "conditions": {"2": "rank > 6 || type == BF16"}}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "conditions": {"2": "rank > 6"}}',
            'f() -> () & {"min_version": 1, "max_version": 3, "conditions": {"2": "rank > 6", "3": "type == BF16"}}',
        ),
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "conditions": {"2": "rank > 6"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "conditions": {"2": "dims > 6"}}',
        ),
    ),
)

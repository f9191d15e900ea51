"""A version is written for a further feature.

Flags:
    A version that base's kernels take, and that head's converter returns under a further condition: what it returned
    it for before, or something else.

Why it breaks:
    A version stands for a feature of an op. A runtime of base takes a model with the version, and has no code for the
    feature that was added to it: the model is not refused when it is loaded, but fails when it runs.

Instead:
    Give the feature a version of its own, unless no release has the version yet.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="the converter writes {versions} of '{op}' for a further feature: {more}",
    witness="a runtime of base takes {versions} of '{op}', which was written for {old}, and does not know of {more}",
    advice="return a new version of '{op}' for it, unless no release has {versions} yet",
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

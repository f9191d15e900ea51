"""A row is gone.

Flags:
    A version of the op that base takes, and for which head's runtime_version.cc names no oldest runtime any
    more.

Why it breaks:
    A model with the version no longer says which runtime it needs.

Instead:
    Leave rows as they are; they are added with a version, and never removed.

Fix:
    Puts the row back.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    fix="safe",
    message="the oldest runtime for {versions} of '{op}', {old}, is no longer named",
    witness="a model with {versions} of '{op}' claims to run on runtimes that refuse it",
    advice="name {old} for {versions} of '{op}' again",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0", "2": "2.1.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0"}}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0", "2": "2.1.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0", "2": "2.1.0"}}',
        ),
    ),
)

"""A row names another runtime.

Flags:
    A version of the op for which head's runtime_version.cc names another oldest runtime than base's.

Why it breaks:
    Models that were converted before say something else about the same version of the op than those that are
    converted now.

Instead:
    Leave rows as they are; they are added with a version, and never changed.

Fix:
    Restores base's runtime.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    fix="safe",
    message="the oldest runtime for {versions} of '{op}' changed from {old} to {new}",
    witness="two models with {versions} of '{op}' disagree on the runtime that they need",
    advice="name {old} for {versions} of '{op}' again",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0", "2": "2.1.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0", "2": "2.2.0"}}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "oldest_runtimes": {"1": "2.0.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0", "2": "2.1.0"}}',
        ),
    ),
)

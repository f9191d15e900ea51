"""The row of a new version names an old release.

Flags:
    The row of a version that base does not take names a release older than another row of base: one that was
    made before the version was.

Why it breaks:
    A model with the version claims to run on releases that refuse it.

Instead:
    Name the next release.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    message="{new} is named as the oldest runtime for {versions} of '{op}', which is new; base names {newest} already",
    witness="a model with {versions} of '{op}' claims to run on {new}, which refuses it",
    advice="name the next release in the row for {versions} of '{op}'",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "oldest_runtimes": {"1": "2.0.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0", "2": "1.9.0"}}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "oldest_runtimes": {"1": "2.0.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0", "2": "2.1.0"}}',
        ),
    ),
)

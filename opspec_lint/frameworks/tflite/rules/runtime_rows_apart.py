"""The rows of new versions name different releases.

Flags:
    The row of a version that base does not take names an older release than that of another new version. Where new
    rows name three releases or more, base and head are several releases apart, and nothing is flagged.

Why it breaks:
    Of two versions that one change brings, both come with the same release. A model with the version whose row is too
    old claims to run on a release that refuses it.

Instead:
    Name the next release in both rows.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="{new} is named as the oldest runtime for {versions} of '{op}', and {other} for other new versions",
    witness="if a model with {versions} of '{op}' needs {other}, it claims to run on {new}, which refuses it",
    advice="name one release for all versions that one change brings",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "oldest_runtimes": {"1": "2.0.0"}}',
            (
                'f() -> () & {"min_version": 1, "max_version": 3, '
                '"oldest_runtimes": {"1": "2.0.0", "2": "2.1.0", "3": "2.2.0"}}'
            ),
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "oldest_runtimes": {"1": "2.0.0"}}',
            (
                'f() -> () & {"min_version": 1, "max_version": 3, '
                '"oldest_runtimes": {"1": "2.0.0", "2": "2.1.0", "3": "2.1.0"}}'
            ),
        ),
    ),
)

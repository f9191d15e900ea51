"""The converter no longer writes a version.

Flags:
    A version of the op that base's op_version.cc returns and base's kernels take, and that head's does not
    return: the branch was removed, or returns another number.

Why it breaks:
    Models that need the version are now written with another one, which releases that take the old one refuse, or run
    as something else.

Instead:
    Keep the number that each branch returns, and add branches for new features.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    message="the converter no longer writes {versions} of '{op}'; it writes {written}",
    witness=(
        "a model that used to be converted with {versions} of '{op}' now has another version, which "
        "runtimes of base may refuse"
    ),
    advice="let op_version.cc return {versions} of '{op}' for the same models as in base",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 3, "written_versions": [1, 2, 3]}',
            'f() -> () & {"min_version": 1, "max_version": 4, "written_versions": [1, 2, 4]}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2]}',
            'f() -> () & {"min_version": 1, "max_version": 3, "written_versions": [1, 2, 3]}',
        ),
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2, 3]}',
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2]}',
        ),
    ),
)

"""A new version of an op is skipped.

Flags:
    A version between the greatest that base takes and the greatest that head takes, which the converter never
    writes.

Why it breaks:
    Nothing defines the meaning of the version: versions count up by one, and each has its branch in op_version.cc.

Instead:
    Raise the greatest version by one for each change, and add a branch for it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    message="'{op}' went from version {old} to {new}, and the converter never writes {versions}",
    witness=(
        "the kernels accept a model with {versions} of '{op}', which the converter never writes and nothing defines"
    ),
    advice="number the new version of '{op}' one above the last",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2]}',
            'f() -> () & {"min_version": 1, "max_version": 4, "written_versions": [1, 2, 4]}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2]}',
            'f() -> () & {"min_version": 1, "max_version": 4, "written_versions": [1, 2, 3, 4]}',
        ),
    ),
)

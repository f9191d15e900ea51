"""What is said of the versions of an op changed.

Flags:
    What the reference kernels, the converter, the rows of runtimes, the delegates or the comments of the schema
    say about the versions of the op is not what base says.

Why it breaks:
    Nothing breaks by that alone; rules of their own tell what does.

Instead:
    Nothing to do.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="{field} of '{name}' changed from {old} to {new}",
    witness="what is said of the versions of '{op}' is not what it was",
    advice="look at the other findings of '{op}', if there are any",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1]}',
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2]}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1]}',
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1]}',
        ),
    ),
)

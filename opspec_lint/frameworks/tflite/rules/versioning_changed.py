"""The facts about the versions of an op changed.

Flags:
    A statement of the reference kernels, the converter, the rows of runtimes, the delegates or the comments of the
    schema about the versions of the op that differs from base.

Why it breaks:
    Nothing breaks by that alone; other rules flag the statements that break models.

Instead:
    Nothing to do.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="{field} of '{name}' changed from {old} to {new}",
    witness="no model breaks by that alone; other findings of '{op}' state which models break",
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

"""The converter never writes the newest version of an op.

Flags:
    A version of the op that register.cc takes and that is higher than all that op_version.cc returns.

Why it breaks:
    A model that needs the version is converted with an older one. Older runtimes then take it and compute
    something else.

Instead:
    Return the version in GetBuiltinOperatorVersion for what is new about it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    message="the kernels take {versions} of '{op}', and the converter writes {written} only",
    witness="a model that needs {versions} of '{op}' is converted with an older one, and misread by older runtimes",
    advice="return {versions} of '{op}' in op_version.cc, for what is new about it",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2]}',
            'f() -> () & {"min_version": 1, "max_version": 3, "written_versions": [1, 2]}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "written_versions": [1, 2]}',
            'f() -> () & {"min_version": 1, "max_version": 3, "written_versions": [1, 2, 3]}',
        ),
        (
            'f() -> () & {"min_version": 1, "max_version": 3, "written_versions": [1]}',
            'f() -> () & {"min_version": 1, "max_version": 3, "written_versions": [1]}',
        ),
    ),
)

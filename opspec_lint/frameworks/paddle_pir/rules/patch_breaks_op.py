"""A new patch makes existing programs unreadable.

Flags:
    A new entry of a patch file after which an op of existing programs is not what head declares: another op, another
    number of inputs or outputs, an attr missing or of another type.

Why it breaks:
    The loader applies the entry to every program of an older version, whether it needs it or not. It then refuses the
    op at the first run, or reads an attr as another type.

Instead:
    Remove the entry, or make it produce what the op declares. If it repairs programs of a release before base, compare
    with that release, and waive the finding.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{file} makes programs with '{op}' unreadable: {problem}",
    witness="a saved program with '{op}' stops when it first runs, or crashes the process",
    advice=(
        "remove the entry of '{op}' from {file}, or correct it; where it repairs programs of an earlier release, "
        "compare with that release"
    ),
    flagged=(
        (
            "pd_op.f(x, y) -> (out)",
            'pd_op.f(x, y) -> (out) & {"patches": [{"version": 0, "kind": "delete_input", "target": 1}]}',
        ),
    ),
    passes=(
        (
            "pd_op.f(x, y) -> (out)",
            'pd_op.f(x) -> (out) & {"patches": [{"version": 0, "kind": "delete_input", "target": 1}]}',
        ),
    ),
)

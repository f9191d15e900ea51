"""An op has another name, and no patch renames it in existing programs.

Flags:
    An op that only base has and one that only head has, with the same arguments and similar names, where no patch
    renames it.

Why it breaks:
    The op is not found: the program loads, and is refused when it first runs, with an error that does not name the
    op.

Instead:
    Set `DEVELOP_VERSION` to 0 and add an entry to patch/0.yaml, such as `- {op_name: pd_op.old, actions: [{action:
    modify_name, data: pd_op.new}]}`. The object is the op itself.

Fix:
    Adds the entry to the file of patches. If the loader would not apply the file, sets `DEVELOP_VERSION` to 0.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="safe",
    message="'{op}' seems to be renamed to '{new_name}', and no patch renames it",
    witness="a saved program with '{op}' stops when it first runs",
    advice="{remedy}",
    flagged=(
        (
            'pd_op.grid_sample(x, g) -> (out) [m: "pir::StrAttribute"]',
            'pd_op.grid_sampler(x, g) -> (out) [m: "pir::StrAttribute"]',
        ),
    ),
    passes=(
        (
            'pd_op.grid_sample(x, g) -> (out) [m: "pir::StrAttribute"]',
            (
                'pd_op.grid_sampler(x, g) -> (out) [m: "pir::StrAttribute"] & {"patches": [{"version": 0, "kind": '
                '"modify_name", "target": "pd_op.grid_sample", "data": "pd_op.grid_sampler", "of": '
                '"pd_op.grid_sample"}]}'
            ),
        ),
    ),
)

"""An attr has another name, and no patch renames it in existing programs.

Flags:
    An attr that has another name in head, where no patch of the next version renames it.

Why it breaks:
    The loader ignores the old name and does not find the new one: the program loads, and is refused when it first
    runs.

Instead:
    Set `DEVELOP_VERSION` to 0 and add an entry to patch/0.yaml, such as `- {op_name: pd_op.prod, actions: [{action:
    modify_attr_name, object: keep_dim, data: keepdim}]}`.

Fix:
    Adds the entry to the file of patches. If the loader would not apply the file, sets `DEVELOP_VERSION` to 0.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="safe",
    message="existing programs have the attr '{name}', and no attr '{new_name}'",
    witness="a saved program with '{op}' stops when it first runs",
    advice="{remedy}",
    flagged=(
        (
            'pd_op.f(x) -> (out) [keep_dim: "pir::BoolAttribute" = false]',
            'pd_op.f(x) -> (out) [keepdim: "pir::BoolAttribute" = false]',
        ),
    ),
    passes=(
        (
            'pd_op.f(x) -> (out) [keep_dim: "pir::BoolAttribute" = false]',
            (
                'pd_op.f(x) -> (out) [keepdim: "pir::BoolAttribute" = false] & {"patches": [{"version": 0, "kind": '
                '"modify_attr_name", "target": "keep_dim", "data": "keepdim"}]}'
            ),
        ),
    ),
)

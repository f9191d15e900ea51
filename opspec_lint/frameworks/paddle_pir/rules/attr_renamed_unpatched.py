"""An attr has another name, and no patch renames it in programs that were saved before.

Flags:
    An attr of base and one of head that are one under two names, where no patch of the version to come renames it.

Why it breaks:
    The attr is not found under its new name: the program loads, and is refused when it first runs. Under the old
    one it is ignored.

Instead:
    Add an entry to patch/0.yaml, such as `- {op_name: pd_op.prod, actions: [{action: modify_attr_name, object:
    keep_dim, data: keepdim}]}`.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.2.0",
    message="programs that were saved before have the attr '{name}', and none '{new_name}'",
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

"""A new patch repairs nothing.

Flags:
    A new action of a patch for an attr that the op does not have, or with a type that head does not declare.

Why it breaks:
    The loader applies it nevertheless: an added attr is ignored, and a value of the wrong type is read as another
    type.

Instead:
    Remove the action, or name the attr and the type that head declares.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the action {action} of {file} for '{op}' repairs nothing: {problem}",
    witness="programs with '{op}' are not repaired",
    advice="remove the action {action} of {file}, or correct it",
    flagged=(
        (
            "pd_op.f(x) -> (out)",
            (
                'pd_op.f(x) -> (out) & {"patches": [{"version": 0, "kind": "add_attr", "target": "b", "type": '
                '"pir::Int32Attribute", "data": 1}]}'
            ),
        ),
    ),
    passes=(
        (
            "pd_op.f(x) -> (out)",
            (
                'pd_op.f(x) -> (out) [b: "pir::Int32Attribute" = 1] & {"patches": [{"version": 0, "kind": '
                '"add_attr", "target": "b", "type": "pir::Int32Attribute", "data": 1}]}'
            ),
        ),
    ),
)

"""A new patch repairs nothing.

Flags:
    An action of a patch that is new in head, of an attr that the op does not have, or that makes it a type which
    head does not declare.

Why it breaks:
    The loader applies it all the same: what it adds is ignored, and a wrong type is read as another one.

Instead:
    Remove the action, or name the attr and the type that head declares.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.2.0",
    message="the action {action} of {file} for '{op}' repairs nothing: {problem}",
    witness="programs with '{op}' are no better off for it",
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

"""An input changed between a tensor and a list of tensors, which no patch can repair.

Flags:
    An input that is a list of tensors in one spec and a tensor in the other, or an argument that moved between
    inputs and outputs.

Why it breaks:
    The program gives a value of the wrong type: the program is refused, or crashes the process.

Instead:
    Make a new op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{name}' changed from {old} to {new}",
    witness="a saved program with '{op}' gives a value of the other kind",
    advice="{remedy}",
    flagged=(
        (
            "pd_op.f(x) -> (out)",
            "pd_op.f(x*) -> (out)",
        ),
    ),
    passes=(
        (
            "pd_op.f(x*) -> (out)",
            "pd_op.f(x*) -> (out)",
        ),
    ),
)

"""A legacy op has no PIR op.

Flags:
    An op of base for which head's op_compat.yaml gives no PIR op.

Why it breaks:
    The translation refuses a program with the op, even if the legacy executor of the same release runs it.

Instead:
    Load the model with the legacy executor or the predictor, or declare the PIR op.

Fix:
    Writes the entry of base in op_compat.yaml again, if the change comes from there. It is a guess: the argument
    may have another name on purpose.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="'{op}' has no PIR op",
    witness="a program with '{op}' is refused when it is translated",
    advice="{remedy}",
    facts={
        "op": "f",
        "name": "f",
        "remedy": "load such models with the legacy executor or the predictor, or export them again",
    },
    flagged=(("paddle: f(x) -> (out)", "paddle-pir: pd_op.g(x) -> (out)"),),
    passes=(("paddle: f(x) -> (out)", "paddle-pir: pd_op.f(x) -> (out)"),),
)

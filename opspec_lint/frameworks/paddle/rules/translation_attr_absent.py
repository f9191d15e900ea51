"""A PIR op needs an attr that the legacy op does not save.

Flags:
    An attr of the PIR op, with or without a default, which is neither an attr of the legacy op nor filled in.

Why it breaks:
    The default is not used: the translation refuses the program.

Instead:
    Let the translation fill in the value, or give the legacy op the attr.

Fix:
    Writes the entry of base in op_compat.yaml again, if the change comes from there. It is a guess: the argument
    may have another name on purpose.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="the PIR op of '{op}' needs the attr '{name}', which programs do not have",
    witness="a program with '{op}' is refused when it is translated",
    advice="{remedy}",
    facts={
        "op": "f",
        "name": "decimals",
        "remedy": "load such models with the legacy executor or the predictor, or export them again",
    },
    flagged=(("paddle: f(x) -> (out)", 'paddle-pir: pd_op.f(x) -> (out) [decimals: "pir::Int32Attribute" = 0]'),),
    passes=(
        (
            "paddle: f(x) -> (out) [decimals: INT = 0]",
            'paddle-pir: pd_op.f(x) -> (out) [decimals: "pir::Int32Attribute" = 0]',
        ),
    ),
)

"""A PIR op needs an input that the legacy op does not give.

Flags:
    An input of the PIR op that is not optional, and that programs with the legacy op may leave out.

Why it breaks:
    The translation refuses the program.

Instead:
    Make the input optional in PIR.

Fix:
    Writes the entry of base in op_compat.yaml again, if the change comes from there. It is a guess: the argument
    may have another name on purpose.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="the PIR op of '{op}' needs the input '{name}', which programs may not have",
    witness="a program with '{op}' that omits '{name}' is refused when it is translated",
    advice="{remedy}",
    facts={
        "op": "f",
        "name": "y",
        "remedy": "load such models with the legacy executor or the predictor, or export them again",
    },
    flagged=(("paddle: f(x, y?) -> (out)", "paddle-pir: pd_op.f(x, y) -> (out)"),),
    passes=(("paddle: f(x, y?) -> (out)", "paddle-pir: pd_op.f(x, y?) -> (out)"),),
)

"""The translation reads an argument of programs no more.

Flags:
    An input, output or attr of a legacy op that base's PIR op was given, and that head's is not: its name in
    op_compat.yaml is gone or another, or the PIR op has it no more.

Why it breaks:
    The program is translated without it. It computes something else, or is refused where another op reads the output.

Instead:
    Keep the entry in op_compat.yaml that names the argument as programs do.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the {kind} '{name}' that programs have, and that was '{own}' of the PIR op, is translated no more",
    witness="a program with '{op}' is translated without its {kind} '{name}'",
    advice="{remedy}",
    facts={
        "op": "f",
        "name": "seed",
        "kind": "input",
        "own": "seed",
        "remedy": "load such models with the legacy executor or the predictor, or export them again",
    },
    flagged=(
        (
            "paddle: f(x, seed?) -> (out)\npaddle-pir: pd_op.f(x, seed?) -> (out)",
            "paddle-pir: pd_op.f(x, start?) -> (out)",
        ),
    ),
    passes=(
        (
            "paddle: f(x, seed?) -> (out)\npaddle-pir: pd_op.f(x, seed?) -> (out)",
            "paddle-pir: pd_op.f(x, seed?, start?) -> (out)",
        ),
    ),
)

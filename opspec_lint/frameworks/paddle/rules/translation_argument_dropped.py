"""The translation no longer reads an argument of programs.

Flags:
    An input, output or attr of a legacy op that becomes an argument of the PIR op in base, and not in head: its name in
    op_compat.yaml is gone or another, or the PIR op no longer has it.

Why it breaks:
    The program is translated without it. It computes something else, or is refused where another op reads the output.

Instead:
    Keep the entry in op_compat.yaml that names the argument as programs do.

Fix:
    Writes the entry of base in op_compat.yaml again, if the change comes from there. It is a guess: the argument
    may have another name on purpose.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="the {kind} '{name}' of programs, which was '{own}' of the PIR op, is no longer translated",
    witness=(
        "a program with '{op}' is translated without its {kind} '{name}', and computes something else or is refused"
    ),
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

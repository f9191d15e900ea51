"""The translation fills in a value that is not the default.

Flags:
    A boolean attr of the PIR op that the legacy op does not save, and whose default is true.

Why it breaks:
    It becomes false, whatever its default is: the program runs, and computes something else.

Instead:
    Let the translation fill in the default.

Fix:
    Writes the entry of base in op_compat.yaml again, if the change comes from there. It is a guess: the argument
    may have another name on purpose.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="the attr '{name}' that programs with '{op}' do not have becomes {value}, which is not its default",
    witness="a program with '{op}' runs, and computes something else",
    advice="{remedy}",
    facts={
        "op": "f",
        "name": "exclusive",
        "value": "false",
        "remedy": "load such models with the legacy executor or the predictor, or export them again",
    },
    flagged=(("paddle: f(x) -> (out)", 'paddle-pir: pd_op.f(x) -> (out) [exclusive: "pir::BoolAttribute" = true]'),),
    passes=(("paddle: f(x) -> (out)", 'paddle-pir: pd_op.f(x) -> (out) [exclusive: "pir::BoolAttribute" = false]'),),
)

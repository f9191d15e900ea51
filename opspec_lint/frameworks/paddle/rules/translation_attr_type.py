"""The translation does not convert the type of an attr.

Flags:
    An attr of the legacy op and of the PIR op, whose legacy type the translation does not convert to the PIR type.

Why it breaks:
    The translation refuses the program, also with a value that both types have.

Instead:
    Let the translation convert the type, or keep the type of the attr in PIR.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the attr '{name}' of '{op}' is saved as {given}, which the translation does not convert to {declared}",
    witness="a program with '{op}' is refused when it is translated",
    advice="{remedy}",
    facts={
        "op": "f",
        "name": "min",
        "given": "LONG",
        "declared": "pir::Int32Attribute",
        "remedy": "load such models with the legacy executor or the predictor, or export them again",
    },
    flagged=(("paddle: f(x) -> (out) [min: LONG]", 'paddle-pir: pd_op.f(x) -> (out) [min: "pir::Int32Attribute"]'),),
    passes=(("paddle: f(x) -> (out) [min: INT]", 'paddle-pir: pd_op.f(x) -> (out) [min: "pir::Int32Attribute"]'),),
)

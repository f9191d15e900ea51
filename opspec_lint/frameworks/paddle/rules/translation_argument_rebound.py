"""The translation reads an argument of the PIR op from another one of programs.

Flags:
    An input, output or attr of a PIR op that base reads from one argument of a legacy op, and head from another: both
    exist, and op_compat.yaml names them otherwise than before.

Why it breaks:
    Arguments change places: the program runs, and computes something else.

Instead:
    Keep the names in op_compat.yaml.

Fix:
    Writes the entry of base in op_compat.yaml again, if the change comes from there. It is a guess: the argument
    may have another name on purpose.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="'{own}' of the PIR op was read from the {kind} '{name}' of programs, and is now read from '{instead}'",
    witness="a program with '{op}' is translated with '{instead}' in place of '{name}', and computes something else",
    advice="{remedy}",
    facts={
        "op": "f",
        "name": "p",
        "own": "a",
        "kind": "attr",
        "instead": "q",
        "remedy": "keep in op_compat.yaml: `a : p`",
    },
    flagged=(
        (
            (
                "paddle: f(x) -> (out) [p: INT, q: INT]\n"
                'paddle-pir: pd_op.f(x) -> (out) [a: "pir::Int32Attribute" '
                '& {"legacy_name": "p"}, b: "pir::Int32Attribute" & {"legacy_name": "q"}]'
            ),
            (
                'paddle-pir: pd_op.f(x) -> (out) [a: "pir::Int32Attribute" '
                '& {"legacy_name": "q"}, b: "pir::Int32Attribute" & {"legacy_name": "p"}]'
            ),
        ),
    ),
    passes=(
        (
            (
                "paddle: f(x) -> (out) [p: INT, q: INT]\n"
                'paddle-pir: pd_op.f(x) -> (out) [a: "pir::Int32Attribute" '
                '& {"legacy_name": "p"}, b: "pir::Int32Attribute" & {"legacy_name": "q"}]'
            ),
            (
                'paddle-pir: pd_op.f(x) -> (out) [c: "pir::Int32Attribute" '
                '& {"legacy_name": "p"}, b: "pir::Int32Attribute" & {"legacy_name": "q"}]'
            ),
        ),
    ),
)

"""The translation reads an argument of the PIR op from another one of programs.

Flags:
    An input, output or attr of a PIR op that base reads from one argument of a legacy op, and head from another: both
    exist, and op_compat.yaml names them otherwise than before.

Why it breaks:
    Arguments change places: the program runs, and computes something else.

Instead:
    Keep the names in op_compat.yaml.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="'{own}' of the PIR op, which was the {kind} '{name}' of programs, is read from '{instead}'",
    witness="a program with '{op}' is translated with '{instead}' in the place of '{name}'",
    advice="{remedy}",
    facts={
        "remedy": "keep in op_compat.yaml: `seed : Seed`",
        "op": "f",
        "name": "X",
        "kind": "input",
        "own": "x",
        "instead": "Y",
    },
    flagged=(("f(X, Y) -> (Out)", "pd_op.f(x, y) -> (out)"),),
    passes=(("f(X, Y) -> (Out)", "pd_op.f(x, z?) -> (out)"),),
)

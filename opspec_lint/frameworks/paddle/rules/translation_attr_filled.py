"""The translation fills in a value that is not the default.

Flags:
    A boolean attr of the PIR op that the legacy op does not save, and whose default is true.

Why it breaks:
    It becomes false, whatever its default is: the program runs, and computes something else.

Instead:
    Let the translation fill in the default.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the attr '{name}' that programs with '{op}' do not have becomes {value}, which is not its default",
    witness="a program with '{op}' runs, and computes something else",
    advice="{remedy}",
    facts={"remedy": "export such models again", "op": "f", "name": "exclusive", "value": "false"},
    flagged=(("f(X) -> (Out)", "pd_op.f(x) -> (out) [exclusive: BOOLEAN = true]"),),
    passes=(("f(X) -> (Out)", "pd_op.f(x) -> (out) [exclusive: BOOLEAN = false]"),),
)

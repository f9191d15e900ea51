"""A PIR op needs an output that the legacy op does not name.

Flags:
    An output of the PIR op that is not optional, and that programs with the legacy op may leave out.

Why it breaks:
    The translation refuses the program.

Instead:
    Make the output optional in PIR.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the PIR op of '{op}' needs the output '{name}', which programs may not have",
    witness="a program with '{op}' that does not name '{name}' is refused when it is translated",
    advice="{remedy}",
    facts={"remedy": "export such models again", "op": "f", "name": "Mask"},
    flagged=(("f(X) -> (Out, Mask?)", "pd_op.f(x) -> (out, mask)"),),
    passes=(("f(X) -> (Out, Mask?)", "pd_op.f(x) -> (out, mask?)"),),
)

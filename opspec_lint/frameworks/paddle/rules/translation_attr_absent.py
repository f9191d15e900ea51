"""A PIR op needs an attr that the legacy op does not save.

Flags:
    An attr of the PIR op, with or without a default, which is neither an attr of the legacy op nor filled in.

Why it breaks:
    The default is not used: the translation refuses the program.

Instead:
    Let the translation fill in the value, or give the legacy op the attr.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the PIR op of '{op}' needs the attr '{name}', which programs do not have",
    witness="a program with '{op}' is refused when it is translated",
    advice="{remedy}",
    facts={"remedy": "export such models again", "op": "round", "name": "decimals"},
    flagged=(("round(X) -> (Out)", "pd_op.round(x) -> (out) [decimals: INT = 0]"),),
    passes=(("round(X) -> (Out) [decimals: INT = 0]", "pd_op.round(x) -> (out) [decimals: INT = 0]"),),
)

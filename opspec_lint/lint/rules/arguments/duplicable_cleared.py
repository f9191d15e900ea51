"""An input or output is no longer duplicable.

Flags:
    An input or output that may be several variables in base and is one in head.

Why it breaks:
    An existing model may name several variables, and the new framework takes only one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the {kind} '{name}' is no longer duplicable",
    witness=("an existing model may name several variables for '{name}' of '{op}', where the new framework takes one"),
    advice="keep '{name}' duplicable",
    flagged=(("f(X*) -> (Out)", "f(X) -> (Out)"),),
    passes=(("f(X) -> (Out)", "f(X*) -> (Out)"),),
)

"""An output became an input.

Flags:
    A name that was an output of the op and is now an input of it, with equal type, extra and quant.

Why it breaks:
    A saved model wires the name as an output. To the new framework that output does not exist, and the input is
    missing.

Instead:
    Keep the output, and add the input under a new name, dispensable.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the output '{name}' became an input",
    witness=("an existing model wires '{name}' of '{op}' as an output; the new framework has it only as an input"),
    advice="keep the output '{name}', and add a dispensable input",
    flagged=(("f(X) -> (Out, State)", "f(X, State) -> (Out)"),),
    passes=(("f(X) -> (Out, State)", "f(X) -> (Out, State)"),),
)

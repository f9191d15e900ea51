"""An input became an output.

Flags:
    A name that was an input of the op and is now an output of it, with equal type, extra and quant.

Why it breaks:
    A saved model wires the name as an input. To the new framework that input does not exist, and the output is
    missing.

Instead:
    Keep the input, and add the output under a new name, dispensable.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the input '{name}' became an output",
    witness=("an existing model wires '{name}' of '{op}' as an input; the new framework has it only as an output"),
    advice="keep the input '{name}', and add a dispensable output",
    flagged=(("f(X, State) -> (Out)", "f(X) -> (Out, State)"),),
    passes=(("f(X, State) -> (Out)", "f(X, State) -> (Out)"),),
)

"""An argument became one of quantization alone.

Flags:
    An input, output or attr that is marked quant in head and not in base.

Why it breaks:
    Tools that make float models cut quant arguments: such a model loses what it says of it from now on. Existing models
    still load, as Paddle's loaders do not look at the flag.

Instead:
    Leave it as it is, and add a quant argument beside it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    message="the {kind} '{name}' became quant",
    witness=(
        "a float model exported from now on no longer says anything of '{name}' of '{op}', and the old framework may "
        "demand it"
    ),
    advice="keep '{name}' out of the quant part",
    flagged=(("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0 {quant}]"),),
    passes=(("f(X) -> (Out) [a: INT = 0 {quant}]", "f(X) -> (Out) [a: INT = 0 {quant}]"),),
)

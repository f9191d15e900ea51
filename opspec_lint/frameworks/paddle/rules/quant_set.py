"""An argument became one that only quantization needs.

Flags:
    An input, output or attr that is marked quant in head and not in base.

Why it breaks:
    Tools that make float models cut quant arguments: such a model loses its value from now on. Existing models still
    load, as Paddle's loaders do not look at the flag.

Instead:
    Leave the argument as it is, and add a separate quant argument.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    message="the {kind} '{name}' became quant",
    witness="a float model exported from now on omits '{name}' of '{op}', and the old framework may require it",
    advice="leave '{name}' as it was, and add a separate quant argument",
    flagged=(("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0 {quant}]"),),
    passes=(("f(X) -> (Out) [a: INT = 0 {quant}]", "f(X) -> (Out) [a: INT = 0 {quant}]"),),
)

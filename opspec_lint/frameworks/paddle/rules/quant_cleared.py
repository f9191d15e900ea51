"""An argument is no longer one of quantization alone.

Flags:
    An input, output or attr that is marked quant in base and not in head.

Why it breaks:
    Tools that make float models cut quant arguments, and the argument now belongs to the op's native definition.
    Paddle's loaders do not look at the flag: whether the argument may be left out decides.

Instead:
    Leave it quant, and add one for float models beside it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the {kind} '{name}' is no longer quant",
    witness=("an existing float model has no '{name}' for '{op}', which now belongs to the op's definition"),
    advice="keep '{name}' in the quant part",
    flagged=(("f(X) -> (Out) [a: INT = 0 {quant}]", "f(X) -> (Out) [a: INT = 0]"),),
    passes=(("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0]"),),
)

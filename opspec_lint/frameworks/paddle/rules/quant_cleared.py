"""An argument is no longer one that only quantization needs.

Flags:
    An input, output or attr that is marked quant in base and not in head.

Why it breaks:
    Tools that make float models cut quant arguments, so existing float models lack this one. Paddle's loaders do not
    look at the flag: the model loads if the op can do without the argument.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the {kind} '{name}' is no longer quant",
    witness="an existing float model has no '{name}' for '{op}', which is now one of the op's normal arguments",
    advice="leave '{name}' quant, and add a separate argument for float models",
    flagged=(("f(X) -> (Out) [a: INT = 0 {quant}]", "f(X) -> (Out) [a: INT = 0]"),),
    passes=(("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0]"),),
)

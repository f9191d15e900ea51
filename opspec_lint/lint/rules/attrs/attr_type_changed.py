"""An attr has another type.

Flags:
    An attr whose type differs between base and head.

Why it breaks:
    A saved model holds a value of the old type. Read as the new type it is refused, or becomes another value.

Instead:
    Keep the attr with its type, and add another attr of the new type, with a default value.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the type of the attr '{name}' changed from {old} to {new}",
    witness=(
        "an existing model holds a value of type {old} for '{name}' of '{op}', where the new framework expects {new}"
    ),
    advice="keep '{name}' as {old}, and add another attr of type {new} with a default value",
    flagged=(("f(X) -> (Out) [size: LONG = 0]", "f(X) -> (Out) [size: LONGS = 0]"),),
    passes=(("f(X) -> (Out) [size: LONG = 0]", "f(X) -> (Out) [size: LONG = 1]"),),
)

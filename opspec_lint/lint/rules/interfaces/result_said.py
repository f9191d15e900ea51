"""Head says what a result is.

Flags:
    A result, or a part of one, of which base says no type and head does.

Why it breaks:
    It does not: nothing says that the result is another one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the result '{name}' is {new} in head; its type in base is unknown",
    witness="it is unknown whether callers of '{op}' got {new} before",
    advice="nothing to do",
    flagged=(
        (
            "function f(x): (int32[]) -> ?",
            "function f(x): (int32[]) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (int32[]) -> float32[]",
            "function f(x): (int32[]) -> ?",
        ),
    ),
)

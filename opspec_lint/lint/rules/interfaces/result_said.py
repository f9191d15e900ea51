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
    message="head says that the result '{name}' is {new}, and base does not say what it is",
    witness="whether callers of '{op}' got {new} before cannot be told",
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

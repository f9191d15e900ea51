"""The type of a result became known.

Flags:
    A result, or a part of one, whose type is unknown in base and known in head.

Why it breaks:
    Nothing is known to break: whether the result is another one cannot be told.
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

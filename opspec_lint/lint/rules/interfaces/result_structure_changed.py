"""The structure of a result changed.

Flags:
    A result of a function that is a tuple, list, dict, named tuple or composite tensor, and another one in head.

Why it breaks:
    The call works, and a caller that unpacks the result finds other parts.

Instead:
    Keep the structure; return a dict rather than a tuple, and add keys to it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the structure of the result '{name}' changed: {old} became {new}",
    witness="a caller that reads '{name}' of '{op}' gets {new} in place of {old}; this breaks {who}",
    advice="return the structure {old}",
    flagged=(
        (
            "function f(x): (int32[]) -> (int32[], int32[])",
            "function f(x): (int32[]) -> (int32[], int32[], int32[])",
        ),
        (
            "function f(x): (int32[]) -> int32[]",
            'function f(x): (int32[]) -> {"y": int32[]}',
        ),
    ),
    passes=(
        (
            'function f(x): (int32[]) -> {"y": int32[]}',
            'function f(x): (int32[]) -> {"y": int32[], "z": float32[]}',
        ),
    ),
)

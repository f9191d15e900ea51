"""The structure of an argument changed.

Flags:
    An argument that is a tuple, list, dict, named tuple or composite tensor, and another one in head: other keys,
    another length, a tensor in its place.

Why it breaks:
    A call has to give the structure of a trace. TensorFlow 2.12 and earlier take a list for a tuple.

Instead:
    Keep the structure, and unpack it inside the function.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the structure of '{name}' changed: {old} became {new}",
    witness="a call of '{op}' with {old} for '{name}' finds no trace; this breaks {who}",
    advice="keep the structure {old} for '{name}'",
    flagged=(
        (
            'function f(x): ({"a": int32[]}) -> int32[]',
            'function f(x): ({"b": int32[]}) -> int32[]',
        ),
        (
            "function f(x): ((int32[], int32[])) -> int32[]",
            "function f(x): ([int32[], int32[]]) -> int32[]",
        ),
        (
            'signature s(x: SparseTensor(int32[None])) -> {"y": float32[None, 1]}',
            'signature s(x: int32[None]) -> {"y": float32[None, 1]}',
        ),
    ),
    passes=(
        (
            ("from tensorflow 2.12.1\nfunction f(x): ((int32[], int32[])) -> int32[]"),
            ("from tensorflow 2.12.1\nfunction f(x): ([int32[], int32[]]) -> int32[]"),
        ),
    ),
)

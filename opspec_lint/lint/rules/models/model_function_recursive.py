"""A function of a saved model calls itself.

Flags:
    A function of the model that a node of itself calls, or a node of a function that it calls.

Why it breaks:
    A loader puts the nodes of a function in the place of its call, which has no end here: it refuses the model, or
    crashes.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the function '{name}' calls itself: {problem}",
    witness="the loader refuses the model or crashes, as it expands calls of '{name}' without end",
    advice="write the repetition as a loop",
    facts={"name": "mine.f", "problem": "'mine.f' -> 'mine.f'"},
    flagged=(
        (
            'model.onnx:\n  output y: float\n  "mine::f"() -> (y)\n  function f: "mine::f"() -> (z)',
            "onnx.checker of 1.22.0",
        ),
    ),
    passes=(
        (
            (
                "model.onnx:\n"
                "  output y: float\n"
                '  "mine::f"() -> (y)\n'
                '  function f: "mine::g"() -> (z)\n'
                "  function g: Zero() -> (z)"
            ),
            "onnx.checker of 1.22.0: Zero@1() -> (Y: T)",
        ),
    ),
)

"""A trace for each object.

Flags:
    A function with an argument that is an object: a variable, or an instance of a custom type.

Why it breaks:
    Each object gets a trace of its own, which keeps the object alive. A caller of the loaded model cannot pass that
    object.

Instead:
    Access the object as an attribute of the module, or pass its value as a tensor.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="the argument '{name}' is an object: {values}",
    witness="a call of '{op}' has to pass an object like '{name}' after loading",
    advice="pass the value of '{name}' as a tensor, or keep the object in the module",
    flagged=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (Variable(float32[])) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (RaggedTensor(float32[None, None], 1)) -> float32[]",
        ),
    ),
)

"""All traces accept only one size.

Flags:
    A function without input_signature whose traces accept tensors of only one size, in every dimension.

Why it breaks:
    The traces were made from an example. A call with another size, such as another batch, finds no trace after loading.

Instead:
    Name the shapes in input_signature, with None for dimensions that vary.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="every trace accepts only one size of '{name}': {values}",
    witness="a call of '{op}' with another size of '{name}' than {values} finds no trace after loading",
    advice="set input_signature=[{spec}] if the size of '{name}' varies",
    flagged=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[2]) -> float32[]",
        ),
    ),
    passes=(
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x) restricted: (float32[2]) -> float32[]",
        ),
        (
            "function f(x): (float32[None]) -> float32[]",
            "function f(x): (float32[None]) -> float32[] ",
        ),
    ),
)

"""A node of a saved model lacks an attr that its saver writes.

Flags:
    A node without an attr that is neither extra nor a flag that is off, in a model that names the release that saved
    it. That release writes such an attr with its value, the default value too.

Why it breaks:
    The model does not hold the value that it was saved with. The loader fills in the default value, without a message,
    and the model computes something else if it was saved with another value.

Instead:
    Export the model again, and leave the file as its saver wrote it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the attr '{name}' of '{op}', which the saver of the model writes, is missing and becomes {filled}",
    witness="'{op}' computes with {filled} in place of the value that it was saved with",
    advice="export the model again, and leave '{name}' in it",
    facts={"op": "elu", "name": "alpha", "filled": "1.0"},
    flagged=(
        (
            "model.pdmodel: elu(X) -> (Out)\nsaved by: elu(X) -> (Out) [alpha: FLOAT = 1.0]",
            "legacy_executor: elu(X) -> (Out) [alpha: FLOAT = 1.0]",
        ),
    ),
    passes=(
        (
            "model.pdmodel: elu(X) -> (Out) [alpha: FLOAT = 0.3]\nsaved by: elu(X) -> (Out) [alpha: FLOAT = 1.0]",
            "legacy_executor: elu(X) -> (Out) [alpha: FLOAT = 1.0]",
        ),
    ),
)

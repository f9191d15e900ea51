"""A loader ignores an attr whose value is not the default value.

Flags:
    A node with an attr that the op of the release does not have, and whose value is not the default value of the
    release that saved the model.

Why it breaks:
    The loader ignores the attr, without a message. The op computes as it did before it had the attr.

Instead:
    Load the model with a release that has the attr, or export it without it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="'{op}' of the release ignores the attr '{name}', which is {value}; its default value is {default}",
    witness="'{op}' computes as if '{name}' were not {value}",
    advice="load the model with a release whose '{op}' has '{name}', or export it with the default value {default}",
    facts={"op": "gather", "name": "axis", "value": 1, "default": 0},
    flagged=(
        (
            "model.pdmodel: gather(X) -> (Out) [axis: INT = 1]\nsaved by: gather(X) -> (Out) [axis: INT = 0]",
            "legacy_executor: gather(X) -> (Out)",
        ),
    ),
    passes=(
        (
            "model.pdmodel: gather(X) -> (Out)\nsaved by: gather(X) -> (Out) [axis: INT = 0]",
            "legacy_executor: gather(X) -> (Out)",
        ),
    ),
)

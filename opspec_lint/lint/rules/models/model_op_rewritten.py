"""A loader rewrites a node, and empties an attr.

Flags:
    A node that states an old version of its op and has the attr of a new one already.

Why it breaks:
    The loader takes the node for an old one, and sets the new attr from the old ones, which the node does not have. It
    prints no message.

Instead:
    Write the op version of the node into the op version map of the model.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the loader empties the attr '{name}', since the model states an old version of '{op}'",
    witness="'{op}' computes with an empty '{name}', without a message",
    advice="state the version of '{op}' that has '{name}'",
    facts={"op": "set_value", "name": "values"},
    flagged=(
        (
            'model.pdmodel:\n  versions {"set_value": 0}\n  set_value(Input) -> (Out) [values: SCALARS = [1.0]]',
            "legacy_executor: set_value(Input) -> (Out) [values: SCALARS = []] @ +attr values | ~attr values",
        ),
    ),
    passes=(
        (
            'model.pdmodel:\n  versions {"set_value": 2}\n  set_value(Input) -> (Out) [values: SCALARS = [1.0]]',
            "legacy_executor: set_value(Input) -> (Out) [values: SCALARS = []] @ +attr values | ~attr values",
        ),
    ),
)

"""A node of a saved model broadcasts by another rule.

Flags:
    A node of `elementwise_add` whose `axis` is not where shapes align at their ends, under the predictor of
    Paddle 3.

Why it breaks:
    The predictor fuses the op and does not look at `axis`: it adds other elements to each other, or fails.

Instead:
    Reshape the second input, and leave `axis` at -1.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    is_of_contract=False,
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="'{op}' aligns the shapes {x} and {y} at axis {axis}, and the loader at their ends",
    witness="'{op}' combines other elements than the model intends, or fails",
    advice="reshape the second input so that '{name}' can be -1",
    facts={"op": "elementwise_add", "name": "axis", "axis": 0, "x": "[2, 3]", "y": "[2]"},
    flagged=(("node elementwise_add(X, Y) [axis = 0], of shapes [2, 3] and [2]", "the predictor of 3.0.0"),),
    passes=(("node elementwise_add(X, Y) [axis = -1], of shapes [2, 3] and [3]", "the predictor of 3.0.0"),),
)

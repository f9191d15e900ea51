"""A change is not registered as an op version.

Flags:
    A change of an input, output or attr that is not extra, for which head's op versions hold no update: New for an
    addition, Delete for a removal, and for a modification a Modify that base does not hold yet.

Why it breaks:
    Op versions are how converters and inference engines tell old models from new. A change that is not registered is
    invisible to them, and they apply passes that no longer fit.

Instead:
    Add a checkpoint to the op's version history that names the change.

Fix:
    In a source tree of Paddle, adds a checkpoint with a text made of the change, to `REGISTER_OP_VERSION` or to
    op_version.yaml. It is a guess: what a checkpoint should say, its author knows.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("backward",),
    fix="unsafe",
    message="the change of '{name}' is not registered: no {update} in the op versions of '{op}'",
    witness=(
        "a converter that reads a model of '{op}' cannot tell whether it was saved before or after '{name}' changed"
    ),
    advice="add a checkpoint with {update}('{name}', ...) to the version history of '{op}'",
    flagged=(
        ("f(X) -> (Out) @ +attr b", "f(X) -> (Out) [a: INT = 0] @ +attr b"),
        ("f(X) -> (Out) [a: INT = 1] @ ~attr a", "f(X) -> (Out) [a: INT = 2] @ ~attr a"),
    ),
    passes=(
        ("f(X) -> (Out) @ +attr b", "f(X) -> (Out) [a: INT = 0] @ +attr b | +attr a"),
        ("f(X) -> (Out) @ +attr b", "f(X) -> (Out) [a: INT = 0 {extra}] @ +attr b"),
        ("f(X) -> (Out)", "f(X) -> (Out) [a: INT = 0]"),
    ),
)

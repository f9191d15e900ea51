"""An op was removed.

Flags:
    An op that base has and head does not have.

Why it breaks:
    A saved model names its ops. The framework that reads a name it does not know refuses the whole model.

Instead:
    Keep the op registered, marked as deprecated if necessary, for as long as models that use it may be loaded. New
    models can use a new op.

Fix:
    In a source tree of TensorFlow, writes the registration again. It is a guess: the removal may be meant.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="the op '{op}' was removed",
    witness="a model saved with a node of type '{op}' no longer loads: the new framework has no such op",
    advice="keep '{op}' registered, and let new code use its replacement",
    flagged=(("old_op(X) -> (Out)", ""),),
    passes=(
        ("old_op(X) -> (Out)", "old_op(X) -> (Out)"),
        ("", "new_op(X) -> (Out)"),
    ),
)

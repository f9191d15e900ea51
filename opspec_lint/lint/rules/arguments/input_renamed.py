"""An input has another name.

Flags:
    An input of base that is gone and one of head that is new, alike enough to be one: of equal type, extra and quant,
    and with alike names or nothing else to match. The confidence says how sure that is.

Why it breaks:
    Models refer to arguments by name. For a saved model, a new name is a removal and an addition.

Instead:
    Keep the old name in the op's declaration; a better name belongs in the Python interface.

Fix:
    In a tree of Paddle: writes the name of base in op_compat.yaml again, if the change comes from there.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    fix="unsafe",
    message="the input '{name}' {was_renamed} to '{new_name}' (confidence {confidence})",
    witness=(
        "an existing model uses the input '{name}' of '{op}', which is now called '{new_name}'; nothing connects "
        "the two"
    ),
    advice="keep the name '{name}' in the op, and rename in the interface above it",
    flagged=(("f(X, last_h) -> (Out)", "f(X, LastH) -> (Out)"),),
    passes=(
        ("f(X, last_h) -> (Out)", "f(X, last_h) -> (Out)"),
        ("f(X) -> (Out)", "f(X, New?) -> (Out)"),
    ),
)

"""An attr has another name.

Flags:
    An attr of base that is gone and one of head that is new, alike enough to be one: of equal type, extra and quant,
    and with alike names or nothing else to match. The confidence says how sure that is.

Why it breaks:
    Models refer to attrs by name. For a saved model, a new name is a removal and an addition.

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
    message="the attr '{name}' {was_renamed} to '{new_name}' (confidence {confidence})",
    witness="an existing model sets '{name}' of '{op}', which is now called '{new_name}'; its value is lost",
    advice="keep the name '{name}' in the op, and rename in the interface above it",
    flagged=(("flip(X) -> (Out) [dims: INTS]", "flip(X) -> (Out) [axis: INTS]"),),
    passes=(
        ("flip(X) -> (Out) [dims: INTS]", "flip(X) -> (Out) [dims: INTS]"),
        ("f(X) -> (Out) [ring_id: INT = 0]", "f(X) -> (Out) [ring_ids: INTS = []]"),
    ),
)

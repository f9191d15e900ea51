"""An attr was removed.

Flags:
    An attr of base's op that head's op does not have, under no other name that is recognised.

Why it breaks:
    An existing model sets it. The new framework refuses the unknown attr, or ignores it and computes something
    else.

Instead:
    Keep the attr and honour it, or at least its default value; or make a new op without it.

Fix:
    In a source tree of TensorFlow, writes `.Attr(...)` again; in one of Paddle, `AddAttr` or the argument of the entry.
    It is a guess: the removal may be meant.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    fix="unsafe",
    message="the attr '{name}' was removed",
    witness=(
        "an existing model that sets '{name}' of '{op}' is refused by the new framework, or computes something else"
    ),
    advice="keep '{name}', or give the changed op a new name",
    flagged=(("f(X) -> (Out) [axis: INT = -1]", "f(X) -> (Out)"),),
    passes=(
        ("f(X) -> (Out) [axis: INT]", "f(X) -> (Out) [axis: INT]"),
        ("f(X) -> (Out)", "f(X) -> (Out) [axis: INT = -1]"),
    ),
)

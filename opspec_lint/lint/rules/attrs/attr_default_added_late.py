"""An attr that was added without a default value now has one.

Flags:
    An attr that the first declaration in the op's history lacks, that the last one has without a default value, and
    that has one now.

Why it breaks:
    Graphs older than the attr stopped loading when it was added. With a default value they load again, with a meaning
    that nobody has checked.

Instead:
    Leave the attr as it is, or make a new op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the attr '{name}' was added after the first version of the op, without a default value, and now has {new}",
    witness=(
        "a graph saved before '{op}' had '{name}' was refused so far; now it loads and computes with {new}, which "
        "nobody has checked"
    ),
    advice="keep '{name}' without a default value",
    flagged=(("f(x: T) -> ()\nf(x: T) -> () [a: int]", "f(x: T) -> () [a: int = 1]"),),
    passes=(
        ("f(x: T) -> ()\nf(x: T) -> () [a: int = 1]", "f(x: T) -> () [a: int = 1]"),
        ("f(x: T) -> () [a: int]", "f(x: T) -> () [a: int = 1]"),
    ),
)

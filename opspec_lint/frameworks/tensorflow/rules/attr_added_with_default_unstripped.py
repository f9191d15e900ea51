"""An older TensorFlow does not know an attr that new models hold.

Flags:
    An attr of a TensorFlow op that was added with a default value, seen from the releases that do not know it.

Why it breaks:
    New graphs hold the attr, unless default values are stripped when they are exported (SavedModel always does, TF1
    builders with strip_default_attrs). TensorFlow up to 2.4 refuses a graph with an attr that it does not know, unless
    the model's own list of ops says that the value is the default; from 2.5 on it ignores the attr, whatever
    its value, with a line in the log.

Instead:
    Strip default attrs when exporting, and write the attr only where its value is not the default.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    on=("attr_added_with_default",),
    level="off",
    directions=("forward",),
    message=(
        "the attr '{name}' is unknown to the old release, and new graphs hold it unless default attrs are stripped"
        " at export"
    ),
    witness=(
        "a new graph that holds '{name}' of '{op}' is refused by TensorFlow up to 2.4; later releases ignore it "
        "with a line in the log, whatever its value"
    ),
    advice=(
        "strip default attrs at export (strip_default_attrs=True), and set other values than {new} only when older "
        "releases are out of use"
    ),
    flagged=(("f(x: T) -> ()", "f(x: T) -> () [a: int = 1]"),),
    passes=(("f(x: T) -> ()", "f(x: T) -> () [a: int]"),),
)

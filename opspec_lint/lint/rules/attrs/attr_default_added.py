"""An attr got a default value.

Flags:
    An attr that has a default value in head and none in base.

Why it breaks:
    Existing models set the attr and still load. A new model may omit it, and then does not run on an older
    framework.

Instead:
    Nothing breaks for existing models. A policy that forbids every modification flags it all the same.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the attr '{name}' got the default value {new}",
    witness=(
        "existing models set '{name}' of '{op}' and still load; a new model that omits it does not run on "
        "the old framework"
    ),
    advice="if modifications are forbidden, let the interface above the op supply {new}",
    flagged=(("f(X) -> (Out) [axis: INT]", "f(X) -> (Out) [axis: INT = 3]"),),
    passes=(("f(X) -> (Out) [axis: INT = 3]", "f(X) -> (Out) [axis: INT = 3]"),),
)

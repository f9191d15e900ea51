"""An output is no longer intermediate.

Flags:
    An input or output that is marked intermediate in base and not in head.

Why it breaks:
    Models saved before do not read it and still load. A new model may, and an older framework is free to drop it.

Instead:
    Nothing breaks for models saved before. A policy that forbids every modification flags it all the same.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="note",
    directions=("forward",),
    since="0.1.0",
    message="the {kind} '{name}' is no longer intermediate",
    witness=(
        "models saved before still load; a new model that reads '{name}' of '{op}' may find it dropped by the old "
        "framework"
    ),
    advice="if modifications are forbidden, add a new output next to '{name}'",
    flagged=(("f(X) -> (Out, Mask~)", "f(X) -> (Out, Mask)"),),
    passes=(("f(X) -> (Out, Mask)", "f(X) -> (Out, Mask)"),),
)

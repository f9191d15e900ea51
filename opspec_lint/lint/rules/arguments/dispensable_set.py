"""An input or output became dispensable.

Flags:
    An input or output that is dispensable in head and not in base.

Why it breaks:
    Existing models name it and still load. A new model may omit it, and then does not run on an older
    framework.

Instead:
    Nothing breaks for existing models. A policy that forbids every modification flags it all the same.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the {kind} '{name}' became dispensable",
    witness=(
        "existing models use the {kind} '{name}' of '{op}' and still load; a new model that omits it does "
        "not run on the old framework"
    ),
    advice="if modifications are forbidden, leave '{name}' as it was and add a new op",
    flagged=(
        ("f(X, Y) -> (Out)", "f(X, Y?) -> (Out)"),
        ("f(X) -> (Out, Z)", "f(X) -> (Out, Z?)"),
    ),
    passes=(("f(X, Y?) -> (Out)", "f(X, Y?) -> (Out)"),),
)

"""An output has become a reference.

Flags:
    An output that was a plain tensor and is now a reference.

Why it breaks:
    Existing models still load. A new model may connect it where a reference is needed, which an older framework
    refuses.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the output '{name}' has become a reference",
    witness=(
        "a new model that connects '{name}' of '{op}' where a reference is needed does not load on the old framework"
    ),
    advice="nothing to do for existing models",
    flagged=(("f() -> (y: float)", "f() -> (y: Ref(float))"),),
    passes=(("f() -> (y: Ref(float))", "f() -> (y: float)"),),
)

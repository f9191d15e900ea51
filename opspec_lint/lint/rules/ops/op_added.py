"""An op is new.

Flags:
    An op that head has and base does not have.

Why it breaks:
    No existing model breaks. A model saved with the new op does not load on an older framework.

Instead:
    Nothing to do. Export for older frameworks without the new op where that matters.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the op '{op}' is new",
    witness="a model saved with a node of type '{op}' does not load on the old framework",
    advice="nothing to do for existing models",
    flagged=(("", "new_op(X) -> (Out)"),),
    passes=(("f(X) -> (Out)", "f(X) -> (Out)"),),
)

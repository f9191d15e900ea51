"""An input or output became duplicable.

Flags:
    An input or output that may be several variables in head and was one in base.

Why it breaks:
    Existing models name one variable, which still counts. A new model may name several, and then does not run on
    an older framework. Kernels and converters that expect one variable have to learn of it.

Instead:
    Nothing breaks for existing models. A policy that forbids every modification flags it all the same.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the {kind} '{name}' became duplicable",
    witness=(
        "existing models name one variable for '{name}' of '{op}' and still load; a new model with several does "
        "not run on the old framework"
    ),
    advice="if modifications are forbidden, add a dispensable, duplicable {kind} next to '{name}'",
    flagged=(("f(X) -> (Out)", "f(X*) -> (Out)"),),
    passes=(("f(X*) -> (Out)", "f(X*) -> (Out)"),),
)

"""An attr can be given as a tensor.

Flags:
    An attr that a model may give as a tensor under head (`support_tensor` of OpProto), and not under base.

Why it breaks:
    Existing models give a value, and still load. A new model that names a variable in its place is refused by an
    older framework.

Instead:
    Nothing breaks for existing models. A policy that forbids every modification flags it all the same.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the attr '{name}' can be given as a tensor",
    witness=(
        "existing models give a value for '{name}' of '{op}' and still load; a new model that names a variable "
        "does not run on the old framework"
    ),
    advice="nothing to do for existing models",
    flagged=(("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0 {support_tensor}]"),),
    passes=(("f(X) -> (Out) [a: INT = 0 {support_tensor}]", "f(X) -> (Out) [a: INT = 0 {support_tensor}]"),),
)

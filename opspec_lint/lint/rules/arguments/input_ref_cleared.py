"""An input no longer has to be a reference.

Flags:
    An input that had to be a reference and may now be any tensor.

Why it breaks:
    Existing models still load. A new model may connect a tensor that is no reference, which an older framework
    refuses.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the input '{name}' no longer has to be a reference",
    witness="a new model that connects a plain tensor to '{name}' of '{op}' does not load on the old framework",
    advice="nothing to do for existing models",
    flagged=(("f(x: Ref(float)) -> ()", "f(x: float) -> ()"),),
    passes=(("f(x: float) -> ()", "f(x: Ref(float)) -> ()"),),
)

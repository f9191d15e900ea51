"""An output is no longer intermediate.

Flags:
    An input or output that is marked intermediate in base and not in head.

Why it breaks:
    The executor and the predictor ask for every output that is neither dispensable nor intermediate nor extra, and
    refuse a model without it. Savers write intermediate outputs that are not extra, so that only a model that was
    made by hand, or cut, has none.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the {kind} '{name}' is no longer intermediate",
    witness=(
        "existing models have '{name}' of '{op}', as savers write it, and still load; one that was made without it "
        "is refused"
    ),
    advice="mark '{name}' dispensable as well, or leave it intermediate",
    flagged=(("f(X) -> (Out, Mask~)", "f(X) -> (Out, Mask)"),),
    passes=(("f(X) -> (Out, Mask)", "f(X) -> (Out, Mask)"),),
)

"""An op of the source cannot be evaluated.

Flags:
    An op whose declaration in a source tree cannot be evaluated without running it, if it is new or its declaring
    text changed.

Why it breaks:
    Nobody can say what the change does to the op, so a break of it would go unseen.

Instead:
    Declare it in the way that the other ops are declared, or compare the specs of two builds.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward", "forward"),
    since="0.2.0",
    message="'{name}' cannot be evaluated: {reason}",
    witness="any model that uses '{name}' may stop loading, or mean something else, and nothing would say so",
    advice="declare it with constants that stand in the source, or compare specs that two builds print",
)

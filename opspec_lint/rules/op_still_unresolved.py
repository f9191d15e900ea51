"""An op of the source cannot be evaluated, in base as in head.

Flags:
    An op whose declaration in a source tree cannot be evaluated without running it, and whose declaring text is the
    same in base.

Why it breaks:
    Its own text did not change. What stands elsewhere and decides it may have.

Instead:
    Declare it in the way that the other ops are declared, or compare the specs of two builds.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="note",
    directions=(),
    since="0.2.0",
    message="'{name}' cannot be evaluated, as in base: {reason}",
    witness="a change of what decides '{name}' from elsewhere would not be seen",
    advice="declare it with constants that stand in the source",
)

"""An op lost a flag that optimizers look at.

Flags:
    An op that was, say, stateful and no longer is.

Why it breaks:
    Nothing that was saved breaks: no graph holds the flag. Optimizers may merge or drop nodes that they had to
    keep.

Instead:
    Make sure that nothing relied on it.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="note",
    directions=(),
    since="0.1.0",
    message="the op '{op}' is no longer {field}",
    witness="no graph holds it; optimizers may treat nodes of '{op}' in another way",
    advice="make sure that nothing relied on it",
    flagged=(("f(x: float) -> () {is_stateful}", "f(x: float) -> () {is_commutative}"),),
    passes=(("f(x: float) -> () {is_stateful}", "f(x: float) -> () {is_stateful}"),),
)

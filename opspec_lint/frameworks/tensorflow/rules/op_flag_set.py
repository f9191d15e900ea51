"""An op got a flag that optimizers look at.

Flags:
    An op that has a flag in head, such as is_stateful, and not in base.

Why it breaks:
    No existing model breaks: no graph holds the flag. Optimizers may merge or drop nodes in another way.

Instead:
    Make sure that it is true of every use of the op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the op '{op}' has the flag {field} now",
    witness="no graph holds the flag; graph optimizers may treat nodes of '{op}' differently",
    advice="make sure that {field} is true of every use of the op",
    flagged=(("f(x: float) -> () {is_stateful}", "f(x: float) -> () {is_stateful, is_commutative}"),),
    passes=(("f(x: float) -> () {is_stateful}", "f(x: float) -> () {is_stateful}"),),
)

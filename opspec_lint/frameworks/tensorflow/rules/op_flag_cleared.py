"""An op lost a flag that optimizers look at.

Flags:
    An op that has a flag in base, such as is_stateful, and not in head.

Why it breaks:
    No existing model breaks: no graph holds the flag. Optimizers may merge or drop nodes that they had to keep.

Instead:
    Make sure that no code relies on the flag.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the op '{op}' lost the flag {field}",
    witness="no graph holds the flag; graph optimizers may treat nodes of '{op}' differently",
    advice="make sure that no code relies on {field}",
    flagged=(("f(x: float) -> () {is_stateful}", "f(x: float) -> () {is_commutative}"),),
    passes=(("f(x: float) -> () {is_stateful}", "f(x: float) -> () {is_stateful}"),),
)

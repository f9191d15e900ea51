"""The way in which models refer to arguments changed.

Flags:
    A spec whose binding, the way in which saved models refer to the arguments of ops (by name, or by position and
    type), is not that of base. The two specs are compared by name.

Why it breaks:
    An order of arguments that is part of the contract is not compared, so that a break in it is not found.

Instead:
    Keep the binding. It belongs to the framework, and no release changes it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    level_at_base="error",
    directions=("backward", "forward"),
    message="the binding changed from {old} to {new}, and the order of arguments was not compared",
    witness="a model whose arguments are bound by position may bind the wrong ones without an error",
    advice="keep the binding of base",
    flagged=(("f(x: T) -> ()", "f(x) -> ()"),),
    passes=(("f(x: T) -> ()", "f(y: T) -> ()"),),
)

"""The binding changed.

Flags:
    A spec that says of saved models that they mean the arguments of ops in another way than base says: by name, or as a
    signature, by position and type. The two are compared by name.

Why it breaks:
    Compared by name, ops whose order of arguments is part of the contract look the same when the order changes.

Instead:
    Keep the binding. It is the framework's, and no release changes it.
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

"""The framework refuses the declaration of an op.

Flags:
    An op of head whose declaration fails the framework's own checks: an input that takes its type from an attr that
    does not exist, a default value that is not allowed, a name that occurs twice. It is flagged even if base has the
    same mistake.

Why it breaks:
    The op cannot be registered, so that the framework does not even start, or no model with it loads.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the framework refuses the declaration of the op: {reason}",
    witness="no model with a node of '{op}' loads, old or new: the framework refuses to register it",
    advice="fix the declaration",
    flagged=(("f(x: T) -> () invalid null", "f(x: S) -> () invalid \"No attr with name 'S' for input 'x'\""),),
    passes=(("f(x: T) -> ()", "f(x: S) -> ()"),),
)

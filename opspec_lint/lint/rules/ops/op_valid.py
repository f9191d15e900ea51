"""The framework accepts a declaration that it refused.

Flags:
    An op whose declaration the framework refuses in base, and takes in head.

Why it breaks:
    No existing model breaks: no model could be made with it. A new model does not load on the old framework.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the framework accepts the declaration of the op, which it refused before: {old}",
    witness="a new model with a node of '{op}' does not load on the old framework, which refuses to register it",
    advice="nothing to do",
    flagged=(("f(x: S) -> () invalid \"No attr with name 'S' for input 'x'\"", "f(x: T) -> () invalid null"),),
    passes=(("f(x: S) -> () invalid null", "f(x: S) -> () invalid \"No attr with name 'S' for input 'x'\""),),
)

"""An op has more tags.

Flags:
    An op with a tag that it does not have in base, and every tag that it has there.

Why it breaks:
    Nothing breaks. With `core`, the op is promised to stay.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the tags were {old} and are {new}",
    witness="programs with '{op}' still run",
    advice="nothing to do",
    flagged=(("a::f(Tensor x) -> Tensor  # tags:", "a::f(Tensor x) -> Tensor  # tags: core"),),
    passes=(("a::f(Tensor x) -> Tensor  # tags: core", "a::f(Tensor x) -> Tensor  # tags:"),),
)

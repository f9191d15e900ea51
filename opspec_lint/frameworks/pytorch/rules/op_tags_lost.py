"""An op lacks a tag that it had.

Flags:
    An op without a tag that it has in base, such as `core`.

Why it breaks:
    Nothing breaks by that alone. Without `core`, nobody promises that the op stays.

Instead:
    Keep the tag, or tell those who rely on it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="tags were removed: {old} became {new}",
    witness="programs with '{op}' still run, and may not under later releases",
    advice="keep the tags {old}",
    flagged=(("a::f(Tensor x) -> Tensor  # tags: core", "a::f(Tensor x) -> Tensor  # tags:"),),
    passes=(("a::f(Tensor x) -> Tensor  # tags:", "a::f(Tensor x) -> Tensor  # tags: core"),),
)

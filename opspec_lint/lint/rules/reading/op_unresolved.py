"""An op of the source tree cannot be evaluated.

Flags:
    An op whose declaration in a source tree cannot be evaluated without running it, if the op is new or the text of
    its declaration changed.

Why it breaks:
    Nobody can tell what the change does to the op, so a break would go undetected.

Instead:
    Declare the op with constants that the source tree defines, or compare the specs of two builds.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="'{name}' cannot be evaluated: {reason}",
    witness="a break in what '{name}' declares is not found",
    advice="correct the file, use constants that the source tree defines, or compare the specs of two builds",
    facts={"op": "f", "name": "f", "reason": "the default Rank() is unknown: the function Rank is not known"},
    flagged=(('f.cc: AddAttr<int>("axis", "").SetDefault(-1);', 'f.cc: AddAttr<int>("axis", "").SetDefault(Rank());'),),
    passes=(('f.cc: AddAttr<int>("axis", "").SetDefault(-1);', 'f.cc: AddAttr<int>("axis", "").SetDefault(1 - 2);'),),
)

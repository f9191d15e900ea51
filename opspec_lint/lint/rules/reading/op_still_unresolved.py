"""An op of the source tree cannot be evaluated, in base or in head.

Flags:
    An op whose declaration in a source tree cannot be evaluated without running it, and whose declaration has the
    same text in base.

Why it breaks:
    The text of the declaration did not change, but other code on which it depends may have.

Instead:
    Declare the op with constants that the source tree defines, or compare the specs of two builds.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="'{name}' cannot be evaluated, as in base: {reason}",
    witness="a change elsewhere that affects '{name}' is not detected",
    advice="declare it with constants that the source tree defines",
    facts={"op": "f", "name": "f", "reason": "the default Rank() is unknown: the function Rank is not known"},
    flagged=(
        ('f.cc: AddAttr<int>("axis", "").SetDefault(Rank());', 'f.cc: AddAttr<int>("axis", "").SetDefault(Rank());'),
    ),
    passes=(('f.cc: AddAttr<int>("axis", "").SetDefault(Rank());', 'f.cc: AddAttr<int>("axis", "").SetDefault(-1);'),),
)

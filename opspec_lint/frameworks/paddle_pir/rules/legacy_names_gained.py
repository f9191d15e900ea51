"""More ops of a ProgramDesc are translated to an op.

Flags:
    An op whose `legacy_names` has all names of base, and more.

Why it breaks:
    Nothing breaks: each op that base translates to this one still is.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="more ops of a ProgramDesc are translated to '{name}': {new}; in base only {old}",
    witness="every `.pdmodel` whose ops were translated to '{op}' is translated as before",
    advice="make sure that no other op has lost the name",
    flagged=(
        (
            'pd_op.f(x) -> (out) & {"legacy_names": ["f"]}',
            'pd_op.f(x) -> (out) & {"legacy_names": ["f", "f2"]}',
        ),
    ),
    passes=(
        (
            'pd_op.f(x) -> (out) & {"legacy_names": ["f", "f2"]}',
            'pd_op.f(x) -> (out) & {"legacy_names": ["f2"]}',
        ),
    ),
)

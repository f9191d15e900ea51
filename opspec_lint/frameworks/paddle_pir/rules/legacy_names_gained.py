"""More ops of a ProgramDesc are translated to an op.

Flags:
    An op whose `legacy_names` has all that base has, and others.

Why it breaks:
    It does not: what base translates to the op still is.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="more ops of a ProgramDesc are translated to '{name}': {new}, and not {old} alone",
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

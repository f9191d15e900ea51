"""A value changed that a framework's loader decides by.

Flags:
    A value in the section `loading` of a spec that differs from base: a limit or a capability of the loader, such as
    the formats that it reads. Graph versions have rules of their own.

Why it breaks:
    Nothing breaks by that alone. Rules of the framework tell what its loader makes of existing models.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="what the loader decides by changed: `{name}` was {old} and is {new}",
    witness="existing models may be loaded in another way than before",
    advice="look at the other findings, if there are any",
    flagged=(
        (
            'loading {"develop_version": 1}\npd_op.f(x) -> (out)',
            'loading {"develop_version": 2}\npd_op.f(x) -> (out)',
        ),
    ),
    passes=(
        (
            'loading {"develop_version": 1}\npd_op.f(x) -> (out)',
            'loading {"develop_version": 1}\npd_op.f(x) -> (out)',
        ),
    ),
)

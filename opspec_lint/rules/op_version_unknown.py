"""Registrations were not checked, for want of op versions.

Flags:
    A comparison of which one side's source brings no op versions, with changes that want a registration, or with
    version histories in base that head may have lost.

Why it breaks:
    Nothing breaks by that; but whether the changes are registered could not be looked up.

Instead:
    Bring the op versions: extract from the framework instead of a raw dump, or name their file on the command line.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=(),
    since="0.1.0",
    message="{side} op versions: {consequence}",
    witness="nothing is known to break; registrations were not looked at",
    advice=(
        "compare specs made by `opspec-lint extract`, or name the op versions of raw files with --base-op-versions "
        "and --head-op-versions"
    ),
    flagged=(("f(X) -> (Out) @ +attr b", "f(X) -> (Out) [a: INT = 0]"),),
    passes=(("f(X) -> (Out)", "f(X) -> (Out)"),),
)

"""Registrations were not checked: op versions are missing.

Flags:
    A comparison of which one side's source brings no op versions, if any op changed.

Why it breaks:
    Nothing breaks by that; but whether the changes are registered could not be looked up.

Instead:
    Provide the op versions: extract the spec from the framework instead of using a raw dump, or name their file on
    the command line.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="off",
    directions=(),
    message="{side} op versions: {consequence}",
    witness="no break is known; registrations were not checked",
    advice=(
        "compare specs made by `opspec-lint extract`, or name the op versions of raw files with --base-op-versions "
        "and --head-op-versions"
    ),
    flagged=(("f(X) -> (Out) @ +attr b", "f(X) -> (Out) [a: INT = 0]"),),
    passes=(("f(X) -> (Out)", "f(X) -> (Out)"),),
)

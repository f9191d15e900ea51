"""A setting of base cannot be used, and the change repairs it.

Flags:
    A configuration of base's branch that is wrong, or that names a base or a release which cannot be read, where head
    has another one.

Why it breaks:
    The settings of base are in force, so that no change relaxes its own check. If they are invalid, the settings of
    head are in force, and this check is only as strict as the change wants it to be.

Instead:
    Review the new setting. Every later change is checked with it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the {name} of base is invalid, and the one of head is in force: {problem}",
    witness="this change is checked with its own setting",
    advice="review the setting on its own, preferably in a separate pull request",
    facts={"name": "configuration", "problem": 'opspec-lint.yaml:1: unknown key "profle"'},
    flagged=(
        (
            "specs/ops.json: abs(X) -> (Out)\nopspec-lint.yaml: profle: strict",
            "specs/ops.json: abs(X) -> (Out)\nopspec-lint.yaml: profile: strict",
        ),
    ),
    passes=(
        (
            "specs/ops.json: abs(X) -> (Out)\nopspec-lint.yaml: profile: strict",
            "specs/ops.json: abs(X) -> (Out)\nopspec-lint.yaml: profile: strict",
        ),
    ),
)

"""A change modifies the policy that it is checked by.

Flags:
    A pull request that changes the profile, the levels, the ignored ops, the releases or the specs of the
    configuration.

Why it breaks:
    A change must not relax its own check, so the setting of base is in force. After the merge, the new setting is.

Instead:
    Review the new setting on its own, preferably in a separate pull request.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the setting '{name}' changes from {old} to {new}; {in_force}",
    witness="after the merge, every later change is checked with the new setting",
    advice="review the setting on its own, preferably in a separate pull request",
    facts={"name": "profile", "old": '"strict"', "new": '"paddle"', "in_force": "this check uses base's"},
    flagged=(
        (
            "specs/ops.json: abs(X) -> (Out)\nopspec-lint.yaml: profile: strict",
            "specs/ops.json: abs(X) -> (Out)\nopspec-lint.yaml: profile: paddle",
        ),
    ),
    passes=(
        (
            "specs/ops.json: abs(X) -> (Out)\nopspec-lint.yaml: profile: strict",
            (
                "specs/ops.json: abs(X) -> (Out)\n"
                "opspec-lint.yaml:\n"
                "  profile: strict\n"
                "  waivers: waivers.yaml\n"
                "waivers.yaml: {version: 1, waivers: []}"
            ),
        ),
    ),
)

"""A waiver has expired.

Flags:
    A waiver whose last day has passed.

Why it breaks:
    The problem that it waives was to be fixed by then. The finding counts again.

Instead:
    Fix the finding, or ask the owner to renew the waiver.

Fix:
    Deletes the entry.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=(),
    fix="safe",
    message="the waiver of {what} expired on {expires} (owner: {owner})",
    witness="the finding that it waived counts again",
    advice="fix the finding, ask {owner} to renew the waiver, or delete the waiver",
    facts={"op": "relu", "name": "op_removed relu", "what": "op_removed relu", "expires": "2024-01-31", "owner": "ann"},
    flagged=(
        (
            "specs/ops.json:\n  abs(X) -> (Out)\n  relu(X) -> (Out)",
            (
                "specs/ops.json: abs(X) -> (Out)\n"
                "opspec-waivers.yaml: {version: 1, waivers: [{rule: op_removed, op: relu, reason: never "
                "released, owner: ann, expires: 2024-01-31}]}"
            ),
        ),
    ),
    passes=(
        (
            "specs/ops.json:\n  abs(X) -> (Out)\n  relu(X) -> (Out)",
            (
                "specs/ops.json: abs(X) -> (Out)\n"
                "opspec-waivers.yaml: {version: 1, waivers: [{rule: op_removed, op: relu, reason: never "
                "released, owner: ann}]}"
            ),
        ),
    ),
)

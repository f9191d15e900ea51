"""A waiver matches no finding.

Flags:
    A waiver that matches no finding: base has the change after the merge, so the waiver is no longer needed; or it is
    new, and names nothing that was found.

Why it breaks:
    Nothing breaks, but the waiver would let the same change pass if somebody made it again.

Instead:
    Delete the entry.

Fix:
    Deletes the entry.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    fix="safe",
    message="the {new}waiver of {what} matches no finding",
    witness="the waiver would let the same change pass again",
    advice="delete the waiver: {why}",
    facts={
        "op": "relu",
        "name": "op_removed relu",
        "new": "new ",
        "what": "op_removed relu",
        "why": "no finding matches; `opspec-lint waive` writes waivers for existing findings",
    },
    flagged=(
        (
            "specs/ops.json:\n  abs(X) -> (Out)\n  relu(X) -> (Out)",
            (
                "specs/ops.json:\n"
                "  abs(X) -> (Out)\n"
                "  relu(X) -> (Out)\n"
                "opspec-waivers.yaml: {version: 1, waivers: [{rule: op_removed, op: relu, reason: never "
                "released, owner: ann}]}"
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

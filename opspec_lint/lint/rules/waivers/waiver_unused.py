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
    since="0.1.0",
    fix="safe",
    message="the {new}waiver of {what} matches no finding",
    witness="it would let the same change pass again",
    advice="delete it: {why}",
    facts={
        "name": "op_removed relu",
        "op": "relu",
        "what": "op_removed relu",
        "new": "",
        "why": "base has the change now",
    },
    flagged=(
        ("", "{rule: op_removed, op: relu, reason: never released, owner: ann}, and both base and head have relu"),
    ),
    passes=(("", "{rule: op_removed, op: relu, reason: never released, owner: ann}, and head has no relu"),),
)

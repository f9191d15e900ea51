"""A waiver matches more findings than it says.

Flags:
    A waiver that matches more than one finding, or more than its `covers` says.

Why it breaks:
    It would let a break pass that nobody has reviewed. It waives nothing.

Instead:
    Name the argument (kind and name) or the fingerprint, or say with `covers` how many findings the waiver is for.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=(),
    message="the waiver of {what} matches {count} findings, but is for {covers}",
    witness="the waiver has no effect: it would let findings pass that nobody has reviewed",
    advice="name kind and name, or a fingerprint; or say `covers: {count}`",
    facts={"op": "f", "name": "attr_removed f", "what": "attr_removed f", "count": 2, "covers": 1},
    flagged=(
        (
            "specs/ops.json: f(X) -> (Out) [a: INT = 0, b: INT = 0]",
            (
                "specs/ops.json: f(X) -> (Out)\n"
                "opspec-waivers.yaml: {version: 1, waivers: [{rule: attr_removed, op: f, reason: unused, "
                "owner: ann}]}"
            ),
        ),
    ),
    passes=(
        (
            "specs/ops.json: f(X) -> (Out) [a: INT = 0, b: INT = 0]",
            (
                "specs/ops.json: f(X) -> (Out)\n"
                "opspec-waivers.yaml: {version: 1, waivers: [{rule: attr_removed, op: f, covers: 2, "
                "reason: unused, owner: ann}]}"
            ),
        ),
    ),
)

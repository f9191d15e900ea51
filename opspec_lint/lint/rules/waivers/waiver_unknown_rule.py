"""A waiver names a rule that does not exist.

Flags:
    A waiver whose rule is not in the list that `opspec-lint rules` prints.

Why it breaks:
    It waives nothing, although its author expects it to.

Instead:
    Use the rule id that the report shows.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=(),
    message="the waiver of {what} names an unknown rule",
    witness="the waiver has no effect",
    advice="{advice}",
    facts={"op": "relu", "name": "op_remove relu", "what": "op_remove relu", "advice": "did you mean 'op_removed'?"},
    flagged=(
        (
            "specs/ops.json:\n  abs(X) -> (Out)\n  relu(X) -> (Out)",
            (
                "specs/ops.json: abs(X) -> (Out)\n"
                "opspec-waivers.yaml: {version: 1, waivers: [{rule: op_remove, op: relu, reason: never "
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

"""A patch for the next release was removed.

Flags:
    An action of base's patch/0.yaml that head's does not have, while the op is still as the action makes it.

Why it breaks:
    Programs of the last release are no longer repaired, and are refused at the first run or misread.

Instead:
    Keep the action, or undo the change of the op that it repairs.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the action {action} of '{op}' was removed from {file}, and the op is still as it makes it",
    witness="programs of the last release that have '{op}' are no longer repaired",
    advice="keep the action {action} in {file}, or undo the change that it repairs; waive this if it repaired nothing",
    flagged=(
        (
            (
                'pd_op.f(x, y) -> (out) [a: "pir::Int64Attribute" = 1] & {"patches": [{"version": 0, "kind": '
                '"modify_attr", "target": "a", "type": "pir::Int64Attribute"}]}'
            ),
            'pd_op.f(x, y) -> (out) [a: "pir::Int64Attribute" = 1]',
        ),
    ),
    passes=(
        (
            (
                'pd_op.f(x, y) -> (out) [a: "pir::Int64Attribute" = 1] & {"patches": [{"version": 0, "kind": '
                '"modify_attr", "target": "a", "type": "pir::Int64Attribute"}]}'
            ),
            (
                'loading {"develop_version": 2, "release_version": 2}\nversions {"producer": 2}\npd_op.f(x, y) -> '
                '(out) [a: "pir::Int64Attribute" = 1] & {"patches": [{"version": 2, "kind": "modify_attr", '
                '"target": "a", "type": "pir::Int64Attribute"}]}'
            ),
        ),
    ),
)

"""An attr was added, and no patch gives it to existing programs.

Flags:
    An attr that only head has, with or without a default, where no patch of the next version adds it.

Why it breaks:
    A program stores all attrs of its ops, and the loader fills in no default values: the program loads, and is
    refused when it first runs, with an error that does not name the attr (measured with 3.0.0 and 3.3.1: 80 of 80).

Instead:
    Set `DEVELOP_VERSION` to 0 and add an entry to patch/0.yaml, such as `- {op_name: pd_op.round, actions:
    [{action: add_attr, object: decimals, type: "pir::Int32Attribute", data: 0}]}`. The advice has the entry for the
    attr in question.

Fix:
    Adds the entry to the file of patches, if the attr has a default value. If the loader would not apply the file, sets
    `DEVELOP_VERSION` to 0.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="safe",
    message="existing programs have no attr '{name}'",
    witness="a saved program with '{op}' stops when it first runs",
    advice="{remedy}",
    flagged=(
        (
            "pd_op.f(x) -> (out)",
            'pd_op.f(x) -> (out) [a: "pir::Int32Attribute" = 1]',
        ),
    ),
    passes=(
        (
            "pd_op.f(x) -> (out)",
            (
                'pd_op.f(x) -> (out) [a: "pir::Int32Attribute" = 1] & {"patches": [{"version": 0, "kind": '
                '"add_attr", "target": "a", "type": "pir::Int32Attribute", "data": 1}]}'
            ),
        ),
        (
            'pd_op.f(x) -> (out) [a: "pir::Int32Attribute" = 1]',
            "pd_op.f(x) -> (out)",
        ),
    ),
)

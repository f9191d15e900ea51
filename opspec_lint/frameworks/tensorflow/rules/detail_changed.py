"""A detail of a declaration that graphs do not hold changed.

Flags:
    The full type, the handle data or the control outputs of a declaration differ between base and head.

Why it breaks:
    Nothing breaks: no graph holds them.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the {field} of the {kind} '{name}' changed from {old} to {new}",
    witness="no graph with a node of '{op}' depends on it",
    advice="nothing to do",
    flagged=(("f(x: variant) -> ()", 'f(x: variant & {"type_id": "TFT_DATASET"}) -> ()'),),
    passes=(("f(x: variant) -> ()", "f(x: variant) -> ()"),),
)

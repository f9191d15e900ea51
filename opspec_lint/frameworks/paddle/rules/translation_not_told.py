"""A legacy op has a translator of its own.

Flags:
    An op of base with a translator of its own, whose requirements are not known.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="'{op}' has a translator of its own, whose requirements are not known",
    witness="it is not known whether '{op}' is translated",
    advice="translate a program with '{op}' with the release itself",
    facts={"op": "requantize", "name": "requantize"},
    flagged=(("paddle: requantize(Input) -> (Output)", "paddle-pir: pd_op.requantize(Input) -> (Output)"),),
    passes=(("paddle: abs(x) -> (out)", "paddle-pir: pd_op.abs(x) -> (out)"),),
)

"""The translation of a legacy op is not known.

Flags:
    An op of base that a special handler translates, and whose requirements are not known.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="a special handler translates '{op}', and its requirements are not known",
    witness="it is unknown whether the release refuses a program with '{op}'",
    advice="load a program with '{op}' in the release itself",
    facts={"op": "requantize", "name": "requantize"},
    flagged=(("paddle: requantize(Input) -> (Output)", "paddle-pir: pd_op.requantize(Input) -> (Output)"),),
    passes=(("paddle: abs(x) -> (out)", "paddle-pir: pd_op.abs(x) -> (out)"),),
)

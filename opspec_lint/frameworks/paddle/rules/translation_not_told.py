"""A legacy op has a translator of its own.

Flags:
    An op of base that the translation treats in a way of its own, which is not known here.

Why it breaks:
    It may be translated, or not: nothing is said of it.

Instead:
    Translate a program with the op with the release itself.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    is_of_contract=False,
    level="note",
    directions=(),
    since="0.2.0",
    message="the translation has a way of its own for '{op}', of which nothing is told",
    witness="nobody knows what becomes of '{op}'",
    advice="translate a program with '{op}' with the release itself",
    facts={"op": "quantize_linear", "name": "quantize_linear"},
    flagged=(("quantize_linear(X) -> (Y)", "pd_op.quantize_linear(x) -> (y)"),),
    passes=(("abs(X) -> (Out)", "pd_op.abs(x) -> (out)"),),
)

"""A saved model cannot be judged.

Flags:
    A model, or an attr of one of its nodes, for whose verdict the spec states too little.

Why it breaks:
    It may load, or not: the audit does not guess.

Instead:
    Use a spec that states more, or load the model with the release itself.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("backward",),
    message="cannot tell: {problem}",
    witness="it is unknown whether the release loads the model",
    advice="{remedy}",
    facts={
        "op": "arg_max",
        "name": "axis",
        "problem": "the attr 'axis' of 'arg_max' is given as a variable, but the spec does not say whether that is "
        "allowed",
        "remedy": "name a spec that was extracted from the release, or from its source",
    },
    flagged=(
        (
            'model.pdmodel:\n  variable k: int64[1]\n  arg_max(X: k) -> (Out) [axis: VAR = "k"]',
            "legacy_executor of 2.6.2: arg_max(X) -> (Out) [axis: LONG {support_tensor?}]",
        ),
    ),
    passes=(
        (
            "model.pdmodel: arg_max(X) -> (Out) [axis: LONG = 1]",
            "legacy_executor of 2.6.2: arg_max(X) -> (Out) [axis: LONG {support_tensor?}]",
        ),
    ),
)

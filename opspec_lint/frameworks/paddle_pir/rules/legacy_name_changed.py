"""The translation of a ProgramDesc looks for an argument under another name.

Flags:
    An input, output or attr whose name in a ProgramDesc (`legacy_name`, from op_compat.yaml) is not that of base.

Why it breaks:
    A `.pdmodel` has the old name. The translation does not find it: it stops, or fills in a default value.

Instead:
    Keep the name in op_compat.yaml.

Fix:
    Writes the entry of base in op_compat.yaml again, if the change comes from there. It is a guess: the argument
    may have another name on purpose.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    fix="unsafe",
    message="the name of the {kind} '{name}' in a ProgramDesc was {old} and is {new}",
    witness="the translation of a `.pdmodel` looks for '{name}' of '{op}' under another name than the model has",
    advice="keep the old name of '{name}' in op_compat.yaml",
    flagged=(
        (
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_name": "dropout_prob"}]',
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_name": null}]',
        ),
    ),
    passes=(
        (
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_name": "dropout_prob"}]',
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_name": "dropout_prob"}]',
        ),
    ),
)

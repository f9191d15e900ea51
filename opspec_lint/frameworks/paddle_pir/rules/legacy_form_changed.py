"""The translation of a ProgramDesc takes an argument from elsewhere.

Flags:
    An attr that an input took the place of (`mutable_attr`), its value where the code that builds the op says none
    (`default`), the inputs of a ProgramDesc that may hold it (`legacy_tensors`), what another op of a ProgramDesc calls
    it (`other_legacy_names`), or the op that an op is one kernel of (`kernel_of`): one of them is not what base says.
    Or a ProgramDesc has to hold an attr that it could leave out (`legacy_extra`).

Why it breaks:
    The translation of a `.pdmodel` may not find the value where the model has it, or fill in another one.

Instead:
    Translate a model that has the op under both releases, and compare what they compute.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    when=lambda change: not (change.field == "legacy_extra" and change.new is True),
    level="warning",
    directions=("backward",),
    message="`{field}` of the {kind} '{name}' was {old} and is {new}",
    witness="the translation of a `.pdmodel` may give '{name}' of '{op}' another value",
    advice="translate a model that has '{op}' under both releases, and compare",
    flagged=(
        (
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_extra": true}]',
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_extra": false}]',
        ),
    ),
    passes=(
        (
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_extra": true}]',
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_extra": true}]',
        ),
    ),
)

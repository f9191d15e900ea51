"""The translation of a ProgramDesc takes an argument from another place.

Flags:
    A statement about an attr or op in a ProgramDesc that differs from base: the input that took the place of an attr
    (`mutable_attr`), the value where the code that builds the op states none (`default`), the inputs that may hold the
    attr (`legacy_tensors`), its name in another op (`other_legacy_names`), or the op of which this op is one kernel
    (`kernel_of`). Or an attr that a ProgramDesc could omit and must hold now (`legacy_extra`).

Why it breaks:
    The translation of a `.pdmodel` may not find the value where the model has it, or may fill in another one.

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

"""A ProgramDesc may newly leave out an attr.

Flags:
    An attr that the entry of its op in `op_compat.yaml` newly lists under `extra` (`legacy_extra`).

Why it breaks:
    Nothing breaks: a ProgramDesc that holds the attr is translated as before, and one that lacks it gets the default
    value of the attr.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    on=("legacy_form_changed",),
    when=lambda change: change.field == "legacy_extra" and change.new is True,
    level="note",
    directions=(),
    message="a ProgramDesc may leave out the attr '{name}'",
    witness="the translation of a `.pdmodel` that lacks '{name}' gives '{op}' its default value",
    advice="nothing to do for existing models",
    flagged=(
        (
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_extra": false}]',
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_extra": true}]',
        ),
    ),
    passes=(
        (
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_extra": true}]',
            'pd_op.f(x) -> (out) [p: "pir::FloatAttribute" & {"legacy_extra": false}]',
        ),
    ),
)

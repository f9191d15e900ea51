"""An op of a ProgramDesc is no longer translated to an op.

Flags:
    An op of which `legacy_names`, the ops of a ProgramDesc that are translated to it, lacks one that base has.

Why it breaks:
    A `.pdmodel` with that op is translated to another op, or refused.

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
    message="an op of a ProgramDesc is no longer translated to '{name}': these were {old} and are {new}",
    witness="a `.pdmodel` with an op that was translated to '{op}' is translated to another one, or refused",
    advice="keep the old names in op_compat.yaml",
    flagged=(
        (
            'pd_op.f(x) -> (out) & {"legacy_names": ["f", "f2"]}',
            'pd_op.f(x) -> (out) & {"legacy_names": ["f2"]}',
        ),
    ),
    passes=(
        (
            'pd_op.f(x) -> (out) & {"legacy_names": ["f"]}',
            'pd_op.f(x) -> (out) & {"legacy_names": ["f", "f2"]}',
        ),
    ),
)

"""An entry of op_version.yaml matches no op.

Flags:
    An entry of Paddle's op_version.yaml, new in head, whose name is no op of the YAML files, so that the generator
    drops it without a word. An op's name there has no `_` at its end, and is not the one that programs use.

Why it breaks:
    The op versions of the build lack what was meant to be registered.

Instead:
    Write the name as ops.yaml has it, without a `_` at its end.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=(),
    since="0.2.0",
    message="the entry '{name}' of op_version.yaml matches no op, and is dropped by the build",
    witness="tools that look up the version history of '{name}' find nothing",
    advice="write the name as ops.yaml has it, without a `_` at its end",
)

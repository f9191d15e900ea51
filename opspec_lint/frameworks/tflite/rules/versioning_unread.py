"""A statement about versions is not regular.

Flags:
    A statement of register.cc, register_ref.cc, op_version.cc or runtime_version.cc that names no literal
    versions. What it says of the op is unknown, and is not compared.

Why it breaks:
    A change of the versions of the op would not be noticed.

Instead:
    Write literal numbers, as all others of these statements do.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="what is said of '{name}' cannot be read: {reason}",
    witness="nobody can tell which versions of '{name}' are meant",
    advice="write literal versions",
    flagged=(("register.cc: Register_CONV_2D(), 1, 2", "register.cc: Register_CONV_2D(), 1, kNewest"),),
    passes=(("register.cc: Register_CONV_2D(), 1, 2", "register.cc: Register_CONV_2D(), 1, 3"),),
    facts={
        "op": "CONV_2D",
        "name": "CONV_2D",
        "reason": "expected AddBuiltin(OP, KERNEL, MIN, MAX) or AddCustom with literals",
    },
)

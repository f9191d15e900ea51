"""A statement about versions is not regular.

Flags:
    A statement of register.cc, register_ref.cc, op_version.cc or runtime_version.cc whose op or versions cannot be
    evaluated, or code there that may register ops in another way: a macro, a call with `this`, a change of the
    resolver's tables. The versions that it states are unknown, and are not compared.

Why it breaks:
    A break in the versions of the op is not found.

Instead:
    Write literal numbers, as all other statements of these files do.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="a statement about the versions of '{name}' cannot be read: {reason}",
    witness="a break in the versions of '{name}' is not found",
    advice="write literal versions",
    flagged=(("register.cc: Register_CONV_2D(), 1, 2", "register.cc: Register_CONV_2D(), 1, kNewest"),),
    passes=(("register.cc: Register_CONV_2D(), 1, 2", "register.cc: Register_CONV_2D(), 1, 3"),),
    facts={
        "op": "CONV_2D",
        "name": "CONV_2D",
        "reason": "expected AddBuiltin(OP, KERNEL, MIN, MAX) or AddCustom with literals",
    },
)

"""An option was added without a new version.

Flags:
    A field that only head's options table has, where no op with the table has a higher version than in base.

Why it breaks:
    A runtime of base takes a model that sets the option, ignores the option, and computes something else.

Instead:
    Raise the version of the op, and return the new one where the option is not its default value.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    message="the option '{name}' was added to {options}, but the highest version of '{op}' is still {max}",
    witness=(
        "a runtime of base takes a model that sets '{name}' of '{op}', ignores the option, and computes something else"
    ),
    advice="raise the version of '{op}' in register.cc, register_ref.cc, op_version.cc and runtime_version.cc",
    flagged=(
        (
            'f() -> () [x: int = 0 & {"slot": 0}] & {"min_version": 1, "max_version": 1, "options": "Options"}',
            (
                'f() -> () [x: int = 0 & {"slot": 0}, y: int = 0 & {"slot": 1}] & {"min_version": 1, '
                '"max_version": 1, "options": "Options"}'
            ),
        ),
    ),
    passes=(
        (
            'f() -> () [x: int = 0 & {"slot": 0}] & {"min_version": 1, "max_version": 1, "options": "Options"}',
            (
                'f() -> () [x: int = 0 & {"slot": 0}, y: int = 0 & {"slot": 1}] & {"min_version": 1, '
                '"max_version": 2, "options": "Options"}'
            ),
        ),
    ),
)

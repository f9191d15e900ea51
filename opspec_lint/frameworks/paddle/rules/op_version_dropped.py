"""An entry of op_version.yaml matches no op.

Flags:
    An entry of Paddle's op_version.yaml that is new in head and whose name is not an op in the YAML files. The name
    of an op there is the one in ops.yaml, without a trailing `_`; it may differ from the name that programs use.

Why it breaks:
    The op generator drops the entry without a message, so the build does not register the op version.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the entry '{name}' of op_version.yaml matches no op; the build drops it",
    witness="a tool that looks up the version history of '{name}' finds nothing",
    advice="use the name that ops.yaml has, without a trailing `_`",
    facts={"op": "f_", "name": "f_"},
    flagged=(
        (
            "",
            (
                "op_version.yaml:\n"
                "  - op : f_\n"
                "    version :\n"
                "      - checkpoint : add an attr\n"
                "        action :\n"
                "          - add_attr : a"
            ),
        ),
    ),
    passes=(
        (
            "",
            (
                "op_version.yaml:\n"
                "  - op : f\n"
                "    version :\n"
                "      - checkpoint : add an attr\n"
                "        action :\n"
                "          - add_attr : a"
            ),
        ),
    ),
)

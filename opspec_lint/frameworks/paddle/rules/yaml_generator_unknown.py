"""The generator of ops from YAML is unknown.

Flags:
    A source tree in head whose op generator differs from base's and from every generator that this version of
    opspec-lint was tested with.

Why it breaks:
    The generator may make other ops from the same YAML. opspec-lint reads the YAML by the rules of the generators it
    knows and does not show the difference.

Instead:
    Compare the spec of a build with the spec of the tree, or use a version of opspec-lint that knows the generator.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="the generator of ops from YAML (fingerprint {name}) is unknown; the rules of known ones are used",
    witness="where the new generator differs, the build has other ops than those compared here",
    advice="compare the spec of a build with the spec of the tree once",
    facts={"name": "73d771d5648a7de1"},
    flagged=(
        (
            "generate_op.py: def process_scalar(op, scalar_configs): pass",
            "generate_op.py: def process_scalar(op, scalar_configs): return op",
        ),
    ),
    passes=(
        (
            "generate_op.py: def process_scalar(op, scalar_configs): pass",
            "generate_op.py: def process_scalar(op, scalar_configs): pass",
        ),
    ),
)

"""The generator of ops from YAML is one that was never compared.

Flags:
    A source tree in head whose generator of op makers differs from all that the reading of YAML ops was compared
    with, and from base's.

Why it breaks:
    The generator may turn the same YAML into other ops, which the reading by known rules would not show.

Instead:
    Compare the ops of a build with those of the tree, or wait for an opspec-lint that knows the generator.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="warning",
    directions=(),
    since="0.2.0",
    message="the generator of ops from YAML (fingerprint {name}) is unknown, so that YAML ops are read by known rules",
    witness="where the new generator differs, ops of the build are not what is compared here",
    advice="compare the spec of a build with that of the tree once",
)

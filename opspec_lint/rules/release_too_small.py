"""The next version is too small.

Flags:
    A next version, as `--next` names it, that promises more than the change keeps: a break without a new major version,
    an addition without a new minor one, or a version that does not come after the released one.

Why it breaks:
    Who upgrades goes by the version. Semantic Versioning says that a minor release and a patch break nothing, and
    whoever allows them automatically gets what breaks their saved models.

Instead:
    Take the least version that is large enough, or take back what asks for it.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=(),
    since="0.1.0",
    message="the version {next} is too small after {released}: the change asks for a {part} release, {least} at least",
    witness="{reason}",
    advice="name the next version {least}, or take back what asks for it",
)

"""The next version number is too small.

Flags:
    A next version, given with `--next`, that promises more than the change keeps: a break without a new major
    version, an addition without a new minor version, or a version that does not come after the released one.

Why it breaks:
    Users decide by the version number whether to upgrade. By Semantic Versioning minor releases and patches break
    nothing; whoever installs them automatically gets a release that breaks saved models.

Instead:
    Choose the smallest version that is large enough, or revert the changes that require it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=(),
    message="the version {next} is too small after {released}: the change requires a {part} release, at least {least}",
    witness="{reason}",
    advice="name the next version {least}, or revert the changes that require it",
    facts={
        "name": "next",
        "next": "1.1.0",
        "released": "1.0.0",
        "part": "major",
        "least": "2.0.0",
        "reason": "the op 'relu' was removed (op_removed, the only error that breaks existing models)",
    },
    flagged=(
        (
            "specs/ops.json:\n  abs(X) -> (Out)\n  relu(X) -> (Out)",
            "specs/ops.json: abs(X) -> (Out)\n$ opspec-lint check --released 1.0.0 --next 1.1.0",
        ),
    ),
    passes=(
        (
            "specs/ops.json:\n  abs(X) -> (Out)\n  relu(X) -> (Out)",
            "specs/ops.json: abs(X) -> (Out)\n$ opspec-lint check --released 1.0.0 --next 2.0.0",
        ),
    ),
)

"""A version that the kernels take has no row.

Flags:
    A version of the op that register.cc takes and for which runtime_version.cc names no oldest runtime.

Why it breaks:
    A model with the version does not say which runtime it needs, so that nobody notices before it is refused.

Instead:
    Add the row, with the next release.

Fix:
    Adds the rows, with the version of `--next`, which goes with `--released`.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("forward",),
    fix="safe",
    message="no oldest runtime is named for {versions} of '{op}'",
    witness="a model with {versions} of '{op}' claims to run on runtimes that refuse it",
    advice="add a row for {versions} of '{op}' to runtime_version.cc, with the next release; `opspec-lint check "
    "--fix --released LAST --next NEXT` writes it, where LAST and NEXT are the releases",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "oldest_runtimes": {"1": "2.0.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0"}}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "oldest_runtimes": {"1": "2.0.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0", "2": "2.1.0"}}',
        ),
        (
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0"}}',
        ),
    ),
)

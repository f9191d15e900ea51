"""A row names a version that no kernel takes.

Flags:
    A version of the op for which runtime_version.cc names an oldest runtime and which register.cc does not
    take.

Why it breaks:
    A model with the version says which runtime is enough for it, and no runtime is.

Instead:
    Register the version, or remove the row in the same change that added it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="an oldest runtime is named for {versions} of '{op}', and the kernels {kernels}",
    witness="a model with {versions} of '{op}' claims to run, and is refused",
    advice="register {versions} of '{op}', or do not add the row",
    flagged=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "oldest_runtimes": {"1": "2.0.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 1, "oldest_runtimes": {"1": "2.0.0", "2": "2.1.0"}}',
        ),
    ),
    passes=(
        (
            'f() -> () & {"min_version": 1, "max_version": 1, "oldest_runtimes": {"1": "2.0.0"}}',
            'f() -> () & {"min_version": 1, "max_version": 2, "oldest_runtimes": {"1": "2.0.0", "2": "2.1.0"}}',
        ),
    ),
)

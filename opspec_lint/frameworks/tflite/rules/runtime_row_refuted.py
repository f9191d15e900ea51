"""A released runtime refuses what a row says it takes.

Flags:
    The row of a version names a release, and a released runtime of that release or a newer one does not take
    the version. The released runtimes are those whose specs opspec-lint brings.

Why it breaks:
    A model with the version claims to run on releases that refuse it.

Instead:
    Rows stay as they are. Name the next release in a row that is new.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="{new} is named as the oldest runtime for {versions} of '{op}', and {release} {kernels}",
    witness="a model with {versions} of '{op}' claims to run on {new}, and {release} refuses it",
    advice="name the release that first takes {versions} of '{op}', if the row is new",
    flagged=(("f() -> ()", 'CONV_2D() -> () & {"oldest_runtimes": {"99": "2.4.0"}}'),),
    passes=(("f() -> ()", 'CONV_2D() -> () & {"oldest_runtimes": {"1": "2.4.0"}}'),),
)

"""A program has a type that the release cannot parse.

Flags:
    A variable or an attr of a type whose number the release's protocol has not.

Why it breaks:
    The type is a required field, so that no byte of the file is taken.

Instead:
    Export the model anew with an older release.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="{problem}, which the release's protocol does not have ('{name}')",
    witness="the release cannot parse the file",
    advice="export the model with a release that has no such type",
    facts={"name": "x", "problem": "the variable 'x' has the type 24"},
    flagged=(("variable x of type 24 (complex128)", "the protocol of 1.8.5 ends at 21"),),
    passes=(("variable x of type 5 (float32)", "the protocol of 1.8.5 ends at 21"),),
)

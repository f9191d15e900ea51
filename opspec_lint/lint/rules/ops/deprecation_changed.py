"""The deprecation of an op changed.

Flags:
    An op that became deprecated, that no longer is, or whose note of it changed.

Why it breaks:
    Nothing breaks yet. Deprecation announces that the op will be removed.

Instead:
    Name the replacement in the note, and the release that removes the op.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the deprecation of the op '{op}' changed from {old} to {new}",
    witness="nothing breaks now; a model that uses '{op}' may no longer load once the op is removed",
    advice="name the replacement of '{op}' and the release that removes it",
    flagged=(("f(X) -> (Out) deprecated null", 'f(X) -> (Out) deprecated "use g"'),),
    passes=(('f(X) -> (Out) deprecated "use g"', 'f(X) -> (Out) deprecated "use g"'),),
)

"""Head is the first to say that arguments are extra.

Flags:
    Inputs, outputs and attrs that head says are extra, and of which base does not say whether they are. It is an error
    where a spec is compared with itself at its base (in a repository, by a hook, by the Action), and a warning between
    two specs that were named by hand.

Why it breaks:
    Changes of what is extra do not count. From the merge on, any change of these arguments passes, by head's word
    alone.

Instead:
    Let the framework say what is extra: extract the spec from it, and have the list reviewed for itself.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    level_at_base="error",
    directions=("backward", "forward"),
    message="head is the first to mark {things} as extra",
    witness=(
        "after the merge, a change of these arguments is no error any more, though it breaks models that were saved "
        "with them"
    ),
    advice="have the new extra arguments reviewed in a separate change",
    flagged=(("f(X) -> (Out) [a: INT = 0 {extra?}]", "f(X) -> (Out) [a: INT = 0 {extra}]"),),
    passes=(
        ("f(X) -> (Out) [a: INT = 0 {extra?}]", "f(X) -> (Out) [a: INT = 0]"),
        ("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0 {extra}]"),
    ),
)

"""Head is the first to state that arguments are extra.

Flags:
    Inputs, outputs and attrs that are extra in head, and of which base does not state whether they are. It is an error
    where a spec is compared with itself at its base (in a repository, by a hook, by the Action), and a warning between
    two specs that were named by hand.

Why it breaks:
    Changes of extra arguments are no errors. After the merge any change of these arguments passes, because head alone
    states that they are extra.

Instead:
    Extract the spec from the framework, which states what is extra, and have the list reviewed in a separate change.
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

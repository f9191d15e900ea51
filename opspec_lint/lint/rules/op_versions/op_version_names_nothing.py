"""A registered update does not match its op.

Flags:
    An update of head's op versions, at fault in head and not in base, that names an input, output or attr that the op
    does not have under that kind (or says one was deleted that the op still has), or whose op does not exist.

Why it breaks:
    The registration does nothing: a misspelt name or a wrong kind leaves the real change unregistered.

Instead:
    Correct the name or the kind, or register the deletion of what was removed.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="{update} is registered for '{name}', {what_is_wrong}",
    witness="tools that look up the version history of '{op}' do not find the intended change",
    advice="correct the registration, or register a Delete for what was removed",
    flagged=(
        (
            "f(X) -> (Out) [exclusive: BOOLEAN = false] @ +attr x",
            "f(X) -> (Out) [exclusive: BOOLEAN = false] @ +attr x | +attr exlucsive",
        ),
    ),
    passes=(
        ("f(X) -> (Out) @ +attr axsi", "f(X) -> (Out) @ +attr axsi"),
        ("f(X) -> (Out) [a: INT = 0] @ +attr a", "f(X) -> (Out) @ +attr a | -attr a"),
    ),
)

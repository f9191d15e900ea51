"""A required argument is no longer extra.

Flags:
    An input or output that is not dispensable, or an attr without a default value, that is extra in base and not in
    head. It counts as an addition: no existing model holds it.

Why it breaks:
    Extra arguments were cut from every model saved before, and the new framework refuses to run the op without this
    one.

Instead:
    Mark it dispensable, or set a default value, so that its absence means what it meant before; or leave it extra.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="the {kind} '{name}' is no longer extra, and it is required",
    witness=(
        "an existing model has no '{name}' for '{op}', since extra arguments are cut at export; the new "
        "framework refuses to run it"
    ),
    advice="give '{name}' a default value or make it dispensable, or leave it extra",
    flagged=(
        ("f(X) -> (Out) [a: INT {extra}]", "f(X) -> (Out) [a: INT]"),
        ("f(X, Y {extra}) -> (Out)", "f(X, Y) -> (Out)"),
    ),
    passes=(("f(X) -> (Out) [a: INT = 0 {extra}]", "f(X) -> (Out) [a: INT = 0]"),),
)

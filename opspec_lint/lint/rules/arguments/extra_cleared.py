"""An argument that a model may leave out is no longer extra.

Flags:
    An input or output that is dispensable, or an attr with a default value, that is extra in base and not in head. It
    counts as an addition: no existing model holds it.

Why it breaks:
    Nothing that was saved breaks. A new model holds it, and an older framework may not expect that.

Instead:
    This is an allowed addition. Let its absence mean what the op did before, and register the change as an op
    version.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="note",
    directions=("forward",),
    since="0.1.0",
    message="the {kind} '{name}' is no longer extra; models may leave it out",
    witness=(
        "existing models hold nothing for '{name}' of '{op}' and still load; new models hold it, which the old "
        "framework may not expect"
    ),
    advice="make sure that '{op}' does what it did before where '{name}' is absent",
    flagged=(("f(X) -> (Out) [a: INT = 0 {extra}]", "f(X) -> (Out) [a: INT = 0]"),),
    passes=(
        ("f(X) -> (Out) [a: INT {extra}]", "f(X) -> (Out) [a: INT]"),
        ("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0]"),
    ),
)

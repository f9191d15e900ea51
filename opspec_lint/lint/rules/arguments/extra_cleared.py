"""An optional argument is no longer extra.

Flags:
    An input or output that is dispensable, or an attr with a default value, that is extra in base and not in head. It
    counts as an addition: no existing model holds it.

Why it breaks:
    No existing model breaks. A new model holds it, and an older framework may not expect that.

Instead:
    This is an allowed addition. Let its absence mean what the op did before, and register the change as an op
    version.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=("forward",),
    message="the {kind} '{name}' is no longer extra; models may omit it",
    witness=(
        "existing models have no '{name}' for '{op}' and still load; new models contain it, and the old framework may "
        "not expect it"
    ),
    advice="make sure that '{op}' behaves as before if '{name}' is absent",
    flagged=(("f(X) -> (Out) [a: INT = 0 {extra}]", "f(X) -> (Out) [a: INT = 0]"),),
    passes=(
        ("f(X) -> (Out) [a: INT {extra}]", "f(X) -> (Out) [a: INT]"),
        ("f(X) -> (Out) [a: INT = 0]", "f(X) -> (Out) [a: INT = 0]"),
    ),
)

"""A return has another name.

Flags:
    A return that has another name in head, a name where it had none, or none where it had one.

Why it breaks:
    Returns with names are read by them: `torch.max(x, 0).values`.

Instead:
    Keep the name of each return, and leave a return without a name as it is.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward", "forward"),
    message="{was} {now}",
    witness="programs that read the returns of '{op}' by their names fail",
    advice="{keep}",
    flagged=(("a::f(Tensor x) -> (Tensor y, Tensor z)", "a::f(Tensor x) -> (Tensor y, Tensor w)"),),
    passes=(("a::f(Tensor x) -> (Tensor y, Tensor z)", "a::f(Tensor x) -> (Tensor y, int z)"),),
)

"""No overload of an op takes a call of a saved program.

Flags:
    A call in the text of a TorchScript archive that no overload of its op takes, by the number and names of its
    arguments. Overloads from which the release upgrades archives of that version count as well.

Why it breaks:
    The loader looks for an overload that takes the call, finds none, and refuses the archive.

Instead:
    Load the archive with the release that saved it, or save the program again with the new one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="no overload of '{op}' takes the call: {refusals}",
    witness="the release refuses a program with such a call of '{op}'",
    advice="load the program with the release that saved it, or save it again with the new one",
    facts={"op": "a::f", "name": "a::f", "refusals": "'a::f': it has no argument 'n'"},
    flagged=(("model.pt: ops.a.f(x, n=1)", "torch.jit.load:\n  a::f(Tensor x) -> Tensor\n  prim::Print(...) -> ()"),),
    passes=(
        ("model.pt: ops.a.f(x, n=1)", "torch.jit.load:\n  a::f(Tensor x, int n) -> Tensor\n  prim::Print(...) -> ()"),
    ),
)

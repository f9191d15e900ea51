"""Base does not run an op as head saves it.

Flags:
    An op whose attrs, or whose number of inputs or outputs, differ between head and base.

Why it breaks:
    A release has no patches for programs of newer releases. It loads them, and refuses the op when it first runs,
    or reads an attr as another type (3.3.1 on 3.0.0: 298 of 314 programs are equal, 6 end the process).

Instead:
    Tell users to run programs with the release that saved them, or with a newer one.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=("forward",),
    message="base does not run '{op}' as head saves it: {problem}",
    witness="a program with '{op}' that head saved stops under base",
    advice="run such programs with head, or with a newer release",
    flagged=(
        (
            'pd_op.f(x) -> (out) [a: "pir::Int32Attribute"]',
            "pd_op.f(x) -> (out)",
        ),
    ),
    passes=(
        (
            "pd_op.f(x) -> (out)",
            'pd_op.f(x) -> (out) [a: "pir::Int32Attribute"]',
        ),
    ),
)

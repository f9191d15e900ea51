"""The grad ops of a program for training.

Paddle's `print_op_desc` leaves out every op that is the gradient of another one, as such an op has no declaration, so
that the spec of a release has none of them. A release that has an op runs its gradients: 16 of 16 programs that were
saved by 2.6.2 with their backward part run under 3.0.0 and 3.3.1.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

_GRAD = pattern(r"(.+?)(?:(?:_double|_triple)?_grad)+")
_PUSH, _PULL = "push_", "pull_"


def forward_of(op: str) -> str | None:
    """Return the op that an op is the gradient of, by its name: of what is pulled, it is what is pushed.

    None stands for an op that is called like no gradient.
    """
    found = _GRAD.fullmatch(op)
    if found is not None:
        return found[1]
    return _PULL + op.removeprefix(_PUSH) if op.startswith(_PUSH) else None

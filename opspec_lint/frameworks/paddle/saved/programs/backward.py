"""The gradient ops of programs for training.

Paddle's `print_op_desc` omits every op that is the gradient of another one, because such an op has no declaration; so
specs lack them. A release that has an op runs its gradients: 16 of 16 programs that 2.6.2 saved with their backward
part run under 3.0.0 and 3.3.1.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

_GRAD = pattern(r"(.+?)(?:(?:_double|_triple)?_grad)+")
_PUSH, _PULL = "push_", "pull_"


def forward_op(op: str) -> str | None:
    """Return the op whose gradient an op is, by its name; None for a name that is no gradient's.

    `push_sparse` is the gradient of `pull_sparse`.
    """
    match = _GRAD.fullmatch(op)
    if match is not None:
        return match[1]
    return _PULL + op.removeprefix(_PUSH) if op.startswith(_PUSH) else None

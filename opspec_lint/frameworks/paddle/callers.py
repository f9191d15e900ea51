"""What callers of a program notice of Paddle: its predictor looks at no shape of what it is fed."""

from __future__ import annotations

from opspec_lint.diff.interfaces.callers import Runtime


def runtime(_: tuple[int, ...]) -> Runtime:
    """The output that all versions have in common."""
    return Runtime(any_shape_callers=("function", "signature", "session"))

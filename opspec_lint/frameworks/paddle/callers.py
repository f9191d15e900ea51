"""The changes of a program's interface that callers of Paddle notice; its predictor ignores the shapes of inputs."""

from __future__ import annotations

from opspec_lint.diff.interfaces.callers import Runtime


def runtime(_: tuple[int, ...]) -> Runtime:
    """Return the behaviour of callers, which is the same in all versions."""
    return Runtime(any_shape_callers=("function", "signature", "session"))

"""What callers of a model notice of TFLite: its interpreter numbers tensors, and a runner resizes its inputs."""

from __future__ import annotations

from opspec_lint.diff.interfaces.callers import Runtime


def runtime(_: tuple[int, ...]) -> Runtime:
    """Return the runtime of any version."""
    return Runtime(any_shape_callers=("signature",), numbered_results_callers=("session",), feeds_by_position=True)

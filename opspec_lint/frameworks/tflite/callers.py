"""What callers of a model notice of TFLite: its interpreter numbers tensors, and a runner resizes its inputs."""

from __future__ import annotations

from opspec_lint.diff.interfaces.callers import Runtime


def runtime(_: tuple[int, ...]) -> Runtime:
    """Return the runtime of any version."""
    return Runtime(takes_any_shape=("signature",), numbers_results=("session",), feeds_by_index=True)

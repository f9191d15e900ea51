"""The changes of a model's interface that callers of TFLite notice: tensors have numbers, and inputs are resized."""

from __future__ import annotations

from opspec_lint.diff.interfaces.callers import Runtime


def runtime(_: tuple[int, ...]) -> Runtime:
    """Return the runtime of any version."""
    return Runtime(any_shape_callers=("signature",), numbered_results_callers=("session",), feeds_by_position=True)

"""The checks that TensorFlow makes of a call of a SavedModel, by release (measured: 2.8.4, 2.12.1, 2.15.1, 2.18.1)."""

from __future__ import annotations

from opspec_lint.diff.interfaces.callers import Runtime

_LENIENT = (2, 12)
"""The last release known to call a signature without a check of shapes, or to accept a list for a tuple."""
_DROPS_STRINGS = (2, 4)
"""The last release known not to save traces that have a Python string among their arguments."""


def runtime(version: tuple[int, ...]) -> Runtime:
    """Return the checks that a version makes of the arguments of a call; () is an unknown version."""
    skips_shape_checks = () != version[:2] <= _LENIENT
    drops_strings = () != version[:2] <= _DROPS_STRINGS
    return Runtime(
        casting_callers=("session",),
        any_shape_callers=("signature",) if skips_shape_checks else (),
        skips_shape_checks=skips_shape_checks,
        checks_rank_only=True,
        unsaved_traces=" or a string, which TensorFlow 1.15 and 2.4 leave out," if drops_strings else "",
    )

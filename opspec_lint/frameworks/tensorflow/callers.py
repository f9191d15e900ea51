"""What callers of a SavedModel notice of TensorFlow, measured with 2.8.4, 2.12.1, 2.15.1 and 2.18.1."""

from __future__ import annotations

from opspec_lint.diff.interfaces.callers import Runtime

_LENIENT = (2, 12)
"""The last release known to call a signature, or to bind a list for a tuple, without looking."""
_DROPS_STRINGS = (2, 4)
"""The last release known to leave out traces with a string of Python among their arguments."""


def runtime(version: tuple[int, ...]) -> Runtime:
    """Return the runtime of a version: a session casts what numpy feeds."""
    is_lenient = () != version[:2] <= _LENIENT
    drops_strings = () != version[:2] <= _DROPS_STRINGS
    return Runtime(
        casts=("session",),
        takes_any_shape=("signature",) if is_lenient else (),
        is_lenient=is_lenient,
        looks_at_rank=True,
        leaves_out=" or a string, which TensorFlow 1.15 and 2.4 leave out," if drops_strings else "",
    )

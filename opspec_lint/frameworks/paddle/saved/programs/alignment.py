"""The broadcasting rule of elementwise ops in the predictor of a release.

The predictor's default oneDNN passes fuse such an op with the reader of its output (`fusing.py`). From Paddle 3 on, the
fused op infers its shape as if the shapes were aligned at their ends, and ignores `axis`. Measured with 3.0.0, 3.1.1,
3.2.2 and 3.3.1 on 525 programs, on which all four agree.
"""

from __future__ import annotations

from opspec_lint.kit.version import numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Spec

OPS = ("elementwise_add", "elementwise_div", "elementwise_mul", "elementwise_sub")
AXIS = "axis"
_ALIGNS_SINCE = (3,)
_FUSES_SINCE = (2, 6)
"""The oldest release that was measured to fuse by default; 1.8.5 does not."""


def aligns_at_ends(spec: Spec) -> bool | None:
    """Return whether the predictor of a release aligns shapes at their ends; None for an unknown version."""
    return _is_since(spec, _ALIGNS_SINCE)


def fuses(spec: Spec) -> bool | None:
    """Return whether the predictor of a release fuses elementwise ops; None for an unknown version."""
    return _is_since(spec, _FUSES_SINCE)


def _is_since(spec: Spec, oldest: tuple[int, ...]) -> bool | None:
    """Return whether a release is at least `oldest`, compared by as many numbers; None for an unknown version."""
    release = numbers(".".join((spec.provenance.version or "").split(".")[: len(oldest)]))
    return None if release is None else release >= oldest

"""By which rule of broadcasting the predictor of a release runs `elementwise_add`.

The passes of Paddle 3 put a fused op in its place, which aligns shapes at their ends and does not look at `axis`
(measured with 3.0.0 and 3.3.1, on models of 1.8.5).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Spec

OP, AXIS = "elementwise_add", "axis"
_SINCE = 3
"""The release from which on the predictor does so."""


def aligns_at_ends(spec: Spec) -> bool | None:
    """Tell whether the predictor of a release aligns the shapes at their ends, None where its version is unknown."""
    release = (spec.provenance.version or "").partition(".")[0]
    return int(release) >= _SINCE if release.isdecimal() else None

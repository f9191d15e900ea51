"""Which releases' predictors align the shapes of `elementwise_add` at their ends, whatever its attr `axis` says.

It imports nothing of programs: a comparison of two specs asks for it as well.
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

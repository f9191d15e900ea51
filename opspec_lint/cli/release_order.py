"""A hint where two releases seem to be swapped on the command line."""

from __future__ import annotations

from opspec_lint.kit.text import one_line
from opspec_lint.kit.version import numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.report.findings import Comparison
    from opspec_lint.spec.model import Provenance


def order_hints(comparisons: Iterable[Comparison]) -> tuple[str, ...]:
    """Return a hint for each comparison of two releases whose base is the newer one, as if the two were swapped."""
    newer = (each for each in comparisons if _release(each.base.provenance) > _release(each.head.provenance) > ())
    return tuple(
        f"hint: base ({_named(each.base.provenance)}) is newer than head ({_named(each.head.provenance)}); "
        "BASE is the release that existing models were saved with, and comes first"
        for each in newer
        if each.base.provenance.framework == each.head.provenance.framework
    )


def _release(provenance: Provenance) -> tuple[int, ...]:
    """Return the numbers of a version, () for none and for 0.0.0, the version of builds that are no release."""
    version = numbers(provenance.version) or ()
    return version if any(version) else ()


def _named(provenance: Provenance) -> str:
    return one_line(f"{provenance.framework} {provenance.version}")

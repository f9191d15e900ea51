"""A hint if two releases seem to be swapped on the command line."""

from __future__ import annotations

from opspec_lint.kit.text import one_line
from opspec_lint.kit.version import numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.report.findings import Comparison
    from opspec_lint.spec.model import Provenance


def order_hints(comparisons: Iterable[Comparison]) -> tuple[str, ...]:
    """Return a hint for each comparison whose base is a newer release than head: they are probably swapped."""
    newer = (
        comparison
        for comparison in comparisons
        if _release(comparison.base.provenance) > _release(comparison.head.provenance) > ()  # both are known
    )
    return tuple(
        f"hint: base ({_release_name(comparison.base.provenance)}) "
        f"is newer than head ({_release_name(comparison.head.provenance)}); "
        "BASE is the release that existing models were saved with, and comes first"
        for comparison in newer
        if comparison.base.provenance.framework == comparison.head.provenance.framework
    )


def _release(provenance: Provenance) -> tuple[int, ...]:
    """Return the version as numbers; () for none, and for 0.0.0, the version of unreleased builds."""
    version = numbers(provenance.version) or ()
    return version if any(version) else ()


def _release_name(provenance: Provenance) -> str:
    return one_line(f"{provenance.framework} {provenance.version}")

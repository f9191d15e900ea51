"""Which release reads the saved graphs of which: the versions of the graph format, and what changed about them.

The rules are those of TensorFlow's versions.h, and of its guide on compatibility.
"""

from __future__ import annotations

from opspec_lint.changes import GraphsRefused, GraphVersionsChanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.changes import Change
    from opspec_lint.model import GraphVersions

_FIELDS = ("producer", "min_consumer", "min_producer", "bad_consumers")


def accepts(graphs: GraphVersions, reader: GraphVersions) -> bool:
    """Tell whether the graphs that one release writes are read by another: the first release's data, and the second.

    The reader is at least what the graphs ask for and not among those they refuse, and they are not older than what it
    still reads.
    """
    return refusal(graphs, reader) is None


def refusal(graphs: GraphVersions, reader: GraphVersions) -> str | None:
    """Return the number for whose sake a release does not read the graphs of another, None where it does."""
    if graphs.producer < reader.min_producer:
        return "min_producer"
    if reader.producer < graphs.min_consumer:
        return "min_consumer"
    return "bad_consumers" if reader.producer in graphs.bad_consumers else None


def version_changes(before: GraphVersions, after: GraphVersions) -> Iterator[Change]:
    """Yield what tells the graph versions of base and head apart, and what base and head no longer read for it."""
    for field in _FIELDS:
        old, new = getattr(before, field), getattr(after, field)
        if old != new:
            yield GraphVersionsChanged(
                op="",
                kind="source",
                name=field,
                field=field,
                old=old,
                new=new,
                before=before,
                after=after,
                too_early=field == "min_producer" and new > old and _too_early(before, after),
            )
    for whose, reason in (("old", refusal(before, after)), ("new", refusal(after, before))):
        if reason:
            yield GraphsRefused(
                op="",
                kind="source",
                name=reason,
                graphs=whose,  # type: ignore[arg-type]
                field=reason,
                before=before,
                after=after,
            )


def _too_early(before: GraphVersions, after: GraphVersions) -> bool:
    """Tell whether it is sure that head gives up versions within half a year of the one that it still reads.

    That one was first written after base, if base did not write it; so between the two lies less time than between base
    and head.
    """
    if not before.producer < after.min_producer or before.producer_since is None or after.producer_since is None:
        return False
    from datetime import date

    days = date.fromisoformat(after.producer_since) - date.fromisoformat(before.producer_since)
    return days.days < _HALF_A_YEAR


_HALF_A_YEAR = 182
"""Days between raising the highest version of graphs and giving up all below it (TensorFlow's compatibility guide)."""

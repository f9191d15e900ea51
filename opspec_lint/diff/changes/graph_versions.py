"""The facts about the numbers that decide which saved graphs a release reads and writes."""

from __future__ import annotations

from opspec_lint.diff.changes.change import SpecDifference
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from opspec_lint.spec.model import GraphVersions


class GraphVersionsChanged(SpecDifference):
    """A number that decides which saved graphs a release reads and writes.

    `before` and `after` are the graph versions of base and head as a whole. `too_early` is whether this comes sooner
    than half a year after graphs of head's lowest version were first written.
    """

    before: GraphVersions
    after: GraphVersions
    too_early: bool = False

    @property
    def event(self) -> str:
        """`graph_version_raised`, `min_consumer_raised`, `bad_consumers_changed` and the like."""
        if self.field in ("bad_consumers", "producer_since"):
            return f"{self.field}_changed"
        word = "graph_version" if self.field == "producer" else self.field
        return f"{word}_{'raised' if self.new > self.old else 'lowered'}"

    def words(self) -> dict[str, object]:
        """Return the facts, with both numbers and what both releases write."""
        shown = {"old": values.show(self.old), "new": values.show(self.new)}
        return {**super().words(), "name": self.name, **shown, **_written(self.before, self.after)}


class LoadingChanged(SpecDifference):
    """Something else that a loader decides by, of which both sides speak."""

    event = "loading_changed"

    def words(self) -> dict[str, object]:
        """Return the facts, with both values."""
        return {**super().words(), "name": self.name, "old": values.show(self.old), "new": values.show(self.new)}


class GraphsRefused(SpecDifference):
    """One release reads no graph that the other writes, for its version.

    `graphs` says whose graphs those are, the "old" release's or the "new" one's; `field` which number is in the way.
    """

    graphs: Literal["old", "new"]
    before: GraphVersions
    after: GraphVersions

    @property
    def event(self) -> str:
        """`old_graphs_refused`, `new_graphs_refused`."""
        return f"{self.graphs}_graphs_refused"

    def words(self) -> dict[str, object]:
        """Return the facts, with what both releases write."""
        return {**super().words(), "name": self.name, **_written(self.before, self.after)}


def _written(before: GraphVersions, after: GraphVersions) -> dict[str, object]:
    return {
        "written": after.producer,
        "written_before": before.producer,
        "since": after.producer_since,
        "first": before.producer_since,
    }

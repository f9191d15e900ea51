"""Figures of a model that more than one view shows."""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.model import MetaGraph


def op_counts(meta: MetaGraph) -> dict[str, int]:
    """Return how many nodes there are of each op, in all graphs of a meta graph."""
    return Counter(op for graph in meta.graphs for op in graph.ops())

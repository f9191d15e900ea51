"""Detection of cycles in a graph, apart from the legal while loops of TensorFlow 1 (NextIteration into Merge).

Nearly all nodes come after the nodes that they take inputs from. So every cycle has a backward edge: a node that takes
an input from a later one. The steps:

1. Merge backward edges that overlap into intervals of nodes; each cycle lies in one interval.
2. Skip an interval if none of its later ends takes an input from inside the interval.
3. Sort the nodes of the others topologically. If some cannot be sorted, sort the whole graph, to report all.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs.wires import input_node, resolve_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.bulk_check import BulkCheck
    from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import NodeKind

_MERGES = frozenset(("Merge", "RefMerge"))
_BACK = frozenset(("NextIteration", "RefNextIteration"))
"""Ops whose edge into a merge closes a legal loop."""
_BATCH = 5000
"""Intervals whose inputs are read in one pass over the stored graph."""


class _Interval:
    """Nodes from `begin` to before `end` that backward edges span; the edges start at the nodes `sources`."""

    __slots__ = ("begin", "end", "sources")

    def __init__(self, begin: int, end: int, source: int) -> None:
        self.begin = begin
        self.end = end
        self.sources = [source]


def nodes_in_cycles(graph: Any, bulk_check: BulkCheck, backward_edges: Iterable[tuple[int, int]]) -> set[int]:
    """Return the indexes of the nodes that are in a cycle, or depend on one.

    Args:
        graph: the nodes.
        bulk_check: kinds and names of the nodes.
        backward_edges: index of the node that takes an input, and of the node at or after it that produces it.
    """
    kinds = bulk_check.kinds
    intervals = _merge_edges(
        sorted(
            (consumer, source)
            for consumer, source in backward_edges
            if not _closes_while_loop(kinds[consumer], kinds[source])
        )
    )
    if any(
        _unsortable_nodes(graph, bulk_check, range(interval.begin, interval.end))
        for interval in _suspicious_intervals(graph, bulk_check, intervals)
    ):
        return _unsortable_nodes(graph, bulk_check, range(len(kinds)))
    return set()


def _closes_while_loop(kind: NodeKind, source: NodeKind) -> bool:
    """Return whether the edge from `source` to `kind` closes a while loop of TensorFlow 1."""
    return kind.op in _MERGES and source.op in _BACK


def _merge_edges(backward_edges: Iterable[tuple[int, int]]) -> list[_Interval]:
    """Return the intervals that sorted backward edges span, overlapping ones merged."""
    intervals: list[_Interval] = []
    for place, source in backward_edges:
        if intervals and place < intervals[-1].end:
            intervals[-1].end = max(intervals[-1].end, source + 1)
            intervals[-1].sources.append(source)
        else:
            intervals.append(_Interval(place, source + 1, source))
    return intervals


def _suspicious_intervals(graph: Any, bulk_check: BulkCheck, intervals: Sequence[_Interval]) -> Iterator[_Interval]:
    """Yield the intervals where the source of a backward edge takes an input from inside the interval."""
    for at in range(0, len(intervals), _BATCH):
        batch = intervals[at : at + _BATCH]
        inputs = graph.inputs_of(sorted({source for interval in batch for source in interval.sources}))
        for interval in batch:
            names = frozenset(bulk_check.names[interval.begin : interval.end])
            if any(
                input_node(text) in names or text in names
                for source in set(interval.sources)
                for text in inputs[source]
            ):
                yield interval


def _unsortable_nodes(graph: Sequence[Any], bulk_check: BulkCheck, interval: range) -> set[int]:
    """Return the nodes of an interval that have no topological order: those in a cycle, or after one."""
    kinds = bulk_check.kinds
    named = {bulk_check.names[place]: place for place in interval}
    edges: dict[int, list[int]] = {place: [] for place in interval}
    waits = dict.fromkeys(interval, 0)
    for place in interval:
        for text in graph[place].input:
            at, _ = resolve_input(text, named)
            if at is not None and not _closes_while_loop(kinds[place], kinds[at]):
                edges[at].append(place)
                waits[place] += 1
    ready = [place for place, count in waits.items() if not count]
    while ready:
        for place in edges[ready.pop()]:
            waits[place] -= 1
            if not waits[place]:
                ready.append(place)
    return {place for place, count in waits.items() if count}

"""The faults of a node that a graph repeats: made for the first ones, and counted for all others.

A damaged or generated file may have a million equal nodes. An audit names
`MAX_FINDINGS` nodes, and counts the rest.
"""

from __future__ import annotations

from opspec_lint.models.fault import MAX_FINDINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.frameworks.onnx.saved.files.nodes import OnnxNode
    from opspec_lint.spec.fact import Fact


class RepeatedNodes:
    """The faults of the nodes of one graph that do not depend on other nodes."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self._faults: dict[int, list[Fact]] = {}

    def faults(self, node: OnnxNode, lazy_faults: Iterable[Fact]) -> Iterable[Fact]:
        """Return `lazy_faults`, the faults of a node; nothing, once the graph has had `MAX_FINDINGS` equal nodes."""
        # Equal nodes are one object (`nodes_of`), which the graph keeps alive.
        key = id(node)
        count = self._counts[key] = self._counts.get(key, 0) + 1
        if count < MAX_FINDINGS:
            return lazy_faults
        if count == MAX_FINDINGS:
            # Kept for `counted`, as all further nodes have the same faults.
            self._faults[key] = list(lazy_faults)
            return self._faults[key]
        return ()

    def counted(self) -> Iterator[Fact]:
        """Yield the faults of all nodes for which none were made, each once with the number of nodes."""
        for key, faults in self._faults.items():
            further = self._counts[key] - MAX_FINDINGS
            if further:
                yield from (fault.replace(nodes=fault.nodes * further, node=None) for fault in faults)

"""The bytes of a graph by what they are for: the weights that its constants hold, and the rest."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_CONSTANT = "Const"
_VALUE = b"\x0a\x05value"
"""How an entry of the map of attrs begins whose key is `value`."""


def sizes(graphs: Iterable[Any], whole: int) -> dict[str, int]:
    """Return the bytes of some graphs in a file of `whole` bytes."""
    weights = sum(map(_weights, graphs))
    return {"graph": max(0, whole - weights), "weights_in_graph": weights}


def _weights(graph: Any) -> int:
    return sum(
        len(entry)
        for nodes in (graph.node, *(each.node_def for each in graph.library.function))
        for node in nodes
        if node.op == _CONSTANT
        for entry in node.attr
        if entry.startswith(_VALUE)
    )

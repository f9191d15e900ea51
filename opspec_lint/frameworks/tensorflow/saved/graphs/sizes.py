"""The size of graphs in bytes, divided into the weights in their constants and the rest."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_CONSTANT = "Const"
_VALUE = b"\x0a\x05value"
"""First bytes of an attr entry with the key `value`."""


def sizes(graphs: Iterable[Any], whole: int) -> dict[str, int]:
    """Return the sizes of `weights_in_graph` and of everything else in a file of `whole` bytes."""
    weights = sum(map(_weight_bytes, graphs))
    return {"graph": max(0, whole - weights), "weights_in_graph": weights}


def _weight_bytes(graph: Any) -> int:
    """Return the bytes of the attr `value` of all constants in a graph and its functions."""
    return sum(
        len(entry)
        for nodes in (graph.node, *(function.node_def for function in graph.library.function))
        for node in nodes
        if node.op == _CONSTANT
        for entry in node.attr
        if entry.startswith(_VALUE)
    )

"""Attrs that equal their defaults: what `strip_default_attrs` would have left out when the model was saved."""

from __future__ import annotations

from collections import Counter

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.models.model import Strippable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_LONG = 4096
"""Bytes of an attr that is not kept to be compared with others."""


def strippable(graph: Any, declared: Any) -> tuple[Strippable, ...] | None:
    """Return the attrs that stripping would remove, of the main graph and of functions.

    Args:
        graph: the graph.
        declared: the OpDefs of the release that wrote it; what stands in none of them is left alone.

    Returns:
        None where nothing is declared.
    """
    defaults = {
        op.name: {attr.name: attr.default_value for attr in op.attr if attr.HasField("default_value")}
        for op in declared
    }
    if not defaults:
        return None
    counts = Counter(_equal(graph, defaults))
    return tuple(Strippable(op=op, attr=attr, nodes=count) for (op, attr), count in sorted(counts.items()))


def _equal(graph: Any, defaults: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield op and attr of each attr of a node that equals its default."""
    known: dict[tuple[str, bytes], str | None] = {}
    for nodes in (graph.node, *(each.node_def for each in graph.library.function)):
        for node in nodes:
            of_op = defaults.get(node.op)
            for entry in node.attr if of_op else ():
                key = node.op, entry
                name = known[key] if key in known else _name(entry, of_op or {})
                if len(entry) <= _LONG:
                    known[key] = name
                if name is not None:
                    yield node.op, name


def _name(entry: bytes, defaults: Mapping[str, Any]) -> str | None:
    """Return the name of an attr that equals its default, None for another one."""
    from google.protobuf.message import DecodeError

    try:
        found = message("RawEntry").FromString(entry)
        default = defaults.get(found.key)
        is_equal = default is not None and message("AttrValue").FromString(found.value) == default
    except DecodeError:
        return None
    return str(found.key) if is_equal else None

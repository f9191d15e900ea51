"""Attrs that equal their defaults, which `strip_default_attrs` would have removed when the model was saved."""

from __future__ import annotations

from collections import Counter

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.models.model import Strippable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_MAX_CACHED_BYTES = 4096
"""Size in bytes up to which the result for an attr is cached."""


def strippable(graph: Any, declared: Any) -> tuple[Strippable, ...] | None:
    """Count the attrs of all nodes that equal their defaults, by op and attr; None if no defaults are known.

    `declared` are the OpDefs of the release that wrote the graph.
    """
    defaults = {
        op.name: {attr.name: attr.default_value for attr in op.attr if attr.HasField("default_value")}
        for op in declared
    }
    if not defaults:
        return None
    counts = Counter(_attrs_at_default(graph, defaults))
    return tuple(Strippable(op=op, attr=attr, nodes=count) for (op, attr), count in sorted(counts.items()))


def _attrs_at_default(graph: Any, defaults: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield (op, attr) for every attr of a node that equals its default."""
    # Many nodes have attrs with the same bytes, such as T of floats: each is parsed once.
    known: dict[tuple[str, bytes], str | None] = {}
    for nodes in (graph.node, *(function.node_def for function in graph.library.function)):
        for node in nodes:
            op_defaults = defaults.get(node.op)
            if not op_defaults:
                continue
            for entry in node.attr:
                key = node.op, entry
                name = known[key] if key in known else _name_if_default(entry, op_defaults)
                if len(entry) <= _MAX_CACHED_BYTES:
                    known[key] = name
                if name is not None:
                    yield node.op, name


def _name_if_default(entry: bytes, defaults: Mapping[str, Any]) -> str | None:
    """Return the name of an attr if its value equals its default, else None."""
    from google.protobuf.message import DecodeError

    try:
        parsed = message("RawEntry").FromString(entry)
        default = defaults.get(parsed.key)
        is_equal = default is not None and message("AttrValue").FromString(parsed.value) == default
    except DecodeError:
        return None
    return str(parsed.key) if is_equal else None

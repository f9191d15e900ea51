"""Parsing of many NodeDefs at once into columns: a list of names, a list of inputs, and the remaining bytes by node.

A Python object for each node would take several times as long as protobuf needs for the graph. The steps:

1. Concatenate the serialized nodes, with a separator after each: an empty input, and a field with random bytes.
2. Parse the whole as one NodeColumns message: to protobuf, concatenated messages are one message, and a repeated field
   has the values of all. So `name` and `input` are lists of all names and of all inputs, made by protobuf's C code.
3. Serialize what NodeColumns does not declare. Protobuf keeps such fields in their order, so op, device and attrs of
   each node lie between the random bytes of the separators.
4. If the counts do not agree, or a node does not begin with its name, parse the nodes separately instead.
"""

from __future__ import annotations

import os
from itertools import accumulate, compress, repeat
from operator import eq

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

# Random, so that no file can contain it on purpose and shift the columns.
_MARK = b"\x7a\x08" + os.urandom(8)
"""A field with the number 15, which a NodeDef does not have, and 8 bytes."""
_SEPARATOR = b"\x1a\x00" + _MARK
_NAME = b"\x0a"
"""The tag of the field `name`."""


class NodeColumns:
    """Consecutive nodes of a graph as columns.

    Args:
        names: the name of each node.
        inputs: the inputs of all nodes in one list, with `terminator` after the inputs of each node.
        keys: for each node a serialized NodeDef with op, device and attrs: equal keys need one check only (`kinds`).
        terminator: "", or None where an input may be "" (nodes that were parsed separately).
    """

    def __init__(
        self, names: Sequence[str], inputs: Sequence[Any], keys: Sequence[bytes], terminator: str | None = ""
    ) -> None:
        self.names = names
        self.inputs = inputs
        self.keys = keys
        self.terminator = terminator
        self._consumers: Sequence[int] | None = None

    def consumers(self) -> Sequence[int]:
        """Return for each item of `inputs` the number of the node that has this input."""
        if self._consumers is None:
            self._consumers = list(accumulate(map(eq, self.inputs, repeat(self.terminator)), initial=0))
        return self._consumers

    def filter_inputs(self, mask: Sequence[bool]) -> NodeColumns:
        """Return the same nodes, with only the inputs for which `mask` is true; `consumers` stays right for them."""
        filtered = NodeColumns(self.names, list(compress(self.inputs, mask)), self.keys, self.terminator)
        filtered._consumers = list(compress(self.consumers(), mask))
        return filtered

    def inputs_by_node(self) -> Iterator[list[Any]]:
        """Return an iterator over the inputs of each node, as one list per node."""
        texts = iter(self.inputs)
        return (list(iter(texts.__next__, self.terminator)) for _ in self.names)


def read_columns(nodes: Sequence[bytes]) -> NodeColumns:
    """Return the columns of serialized NodeDefs; raises DecodeError if one is malformed."""
    from google.protobuf.message import DecodeError

    count = len(nodes)
    row = _SEPARATOR.join((*nodes, b""))
    try:
        joined = message("NodeColumns").FromString(row)
    except DecodeError:
        return _parse_separately(nodes)
    names, inputs = list(joined.name), list(joined.input)
    for field in ("name", "input", "experimental_debug_info", "experimental_type"):
        joined.ClearField(field)
    keys = joined.SerializeToString().split(_MARK)
    keys.pop()  # a separator ends the last node as well
    named = row.startswith(_NAME) + row.count(_MARK + _NAME)  # nodes that begin with a name
    # A node with two names, without one, or with an empty input would shift the columns against each other.
    is_whole = len(names) == len(keys) == inputs.count("") == named == count
    return NodeColumns(names, inputs, keys) if is_whole else _parse_separately(nodes)


def _parse_separately(nodes: Sequence[bytes]) -> NodeColumns:
    """Return the columns of nodes by parsing each one: slower, and right for every NodeDef."""
    names: list[str] = []
    inputs: list[Any] = []
    keys = []
    for data in nodes:
        node = message("RawNodeDef").FromString(data)
        names.append(node.name)
        inputs += [*node.input, None]
        node.ClearField("name")
        node.ClearField("input")
        keys.append(node.SerializeToString())
    return NodeColumns(names, inputs, keys, None)

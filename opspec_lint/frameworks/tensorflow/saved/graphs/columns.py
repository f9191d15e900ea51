"""Many nodes at once, column by column: their names, their inputs, and what each says besides.

Messages that stand one behind another are one message to protobuf, whose repeated fields have the values of all. So all
names are one list that its own code makes, and so are the inputs. What that message does not know it keeps in its
order, and writes it as it was: op, device and attrs. A separator behind each node, an empty input and a mark that
nobody can foresee, tells where one ends. Where the separators are not found as they were put, or a node does not begin
with its only name, nodes are read one by one.
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

_MARK = b"\x7a\x08" + os.urandom(8)
"""A field of the number 15, which a NodeDef does not have."""
_SEPARATOR = b"\x1a\x00" + _MARK
_NAME = b"\x0a"
"""How the name of a node begins."""


class Columns:
    """Some nodes of a graph.

    Args:
        names: the name of each.
        inputs: the inputs of all in a row, `end` behind those of each.
        keys: op, device and attrs of each, as a NodeDef without name and inputs.
        end: what stands behind the inputs of each node.
    """

    def __init__(
        self, names: Sequence[str], inputs: Sequence[Any], keys: Sequence[bytes], end: str | None = ""
    ) -> None:
        self.names = names
        self.inputs = inputs
        self.keys = keys
        self.end = end
        self._takers: Sequence[int] | None = None

    def takers(self) -> Sequence[int]:
        """Return for each of the inputs which of the nodes takes it."""
        if self._takers is None:
            self._takers = list(accumulate(map(eq, self.inputs, repeat(self.end)), initial=0))
        return self._takers

    def only(self, chosen: Sequence[bool]) -> Columns:
        """Return the same nodes with those of their inputs that are chosen."""
        found = Columns(self.names, list(compress(self.inputs, chosen)), self.keys, self.end)
        found._takers = list(compress(self.takers(), chosen))
        return found

    def rows(self) -> Iterator[list[Any]]:
        """Yield the inputs of each node."""
        texts = iter(self.inputs)
        return (list(iter(texts.__next__, self.end)) for _ in self.names)


def columns(nodes: Sequence[bytes]) -> Columns:
    """Return the columns of nodes.

    Raises:
        DecodeError: a node is no NodeDef.
    """
    from google.protobuf.message import DecodeError

    count = len(nodes)
    row = _SEPARATOR.join((*nodes, b""))
    try:
        found = message("NodeColumns").FromString(row)
    except DecodeError:
        return _one_by_one(nodes)
    names, inputs = list(found.name), list(found.input)
    for field in ("name", "input", "experimental_debug_info", "experimental_type"):
        found.ClearField(field)
    keys = found.SerializeToString().split(_MARK)
    keys.pop()
    begins = {each[:1] for each in nodes}
    # A node with two names, or without one, would shift the columns against each other.
    is_whole = len(names) == len(keys) == inputs.count("") == count and begins <= {_NAME}
    return Columns(names, inputs, keys) if is_whole else _one_by_one(nodes)


def _one_by_one(nodes: Sequence[bytes]) -> Columns:
    names: list[str] = []
    inputs: list[Any] = []
    keys = []
    for each in nodes:
        node = message("RawNodeDef").FromString(each)
        names.append(node.name)
        inputs += [*node.input, None]
        node.ClearField("name")
        node.ClearField("input")
        keys.append(node.SerializeToString())
    return Columns(names, inputs, keys, None)

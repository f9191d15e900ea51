"""The nodes of a model in the form that the checks of the loaders need, with all fields of their attributes."""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.frameworks.onnx.saved.files import reading
from opspec_lint.frameworks.onnx.saved.files.messages import text
from opspec_lint.kit.per_object import PerObject
from opspec_lint.kit.record import Record
from opspec_lint.models import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.onnx.saved.files.reading import GraphFile

KINDS = (
    *("UNDEFINED", "FLOAT", "INT", "STRING", "TENSOR", "GRAPH", "FLOATS", "INTS", "STRINGS", "TENSORS", "GRAPHS"),
    *("SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"),
)
"""The names of `AttributeProto.AttributeType`, by number."""
FIELDS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 7, 9: 8, 10: 9, 11: 10, 14: 13, 15: 14, 22: 11, 23: 12}
"""The attribute type of each field of AttributeProto that holds a value, by the number of the field."""


class Attribute(Record):
    """An attribute of a node.

    `kind` is the number of the type that it states, `given` are the types of the fields that have a value, and `value`
    is the AttributeProto.
    """

    name: str
    kind: int
    given: frozenset[int]
    value: Any

    @property
    def refers(self) -> bool:
        """True if the attribute refers to an attribute of the enclosing function (`ref_attr_name`)."""
        return bool(self.value.ref_attr_name)

    @property
    def is_empty(self) -> bool:
        """True if the attribute has neither a value of its type nor refers to another attribute."""
        return self.kind not in self.given and not self.refers


class OnnxNode(Record):
    """A node, whose `name` is "" if it has none; `overload` selects among functions. Equal nodes may be one object."""

    name: str
    op: str
    domain: str
    overload: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: tuple[Attribute, ...]


_MOST_KEPT_NODES = 20_000
"""The most nodes of a graph that are kept decoded; the nodes of larger graphs would take more memory than the file."""
_kept: PerObject[GraphFile, tuple[OnnxNode, ...]] = PerObject()
"""The decoded nodes of graphs that are in use."""


def nodes_of(graph: GraphFile) -> Iterator[OnnxNode]:
    """Yield the nodes of a graph in order. Raises ValueError if one cannot be decoded.

    They are decoded once per graph: a model is judged under 36 releases, and decoding took a third of that time.
    """
    kept = _kept.get(graph)
    if kept is not None:
        yield from kept
        return
    nodes = []
    for node in _decode_nodes(graph):
        nodes.append(node)
        yield node
    if len(nodes) <= _MOST_KEPT_NODES:
        _kept.set(graph, tuple(nodes))


def _decode_nodes(graph: GraphFile) -> Iterator[OnnxNode]:
    for data in graph.nodes:
        yield _decode_small_node(bytes(data)) if len(data) <= reading.SMALL_NODE else _decode_node(data)


def _decode_node(data: memoryview | bytes) -> OnnxNode:
    """Return a node from its bytes."""
    proto = reading.parse_node(data)
    return OnnxNode(
        name=text(proto.name),
        op=text(proto.op_type),
        domain=text(proto.domain),
        overload=text(proto.overload),
        inputs=tuple(map(text, proto.input)),
        outputs=tuple(map(text, proto.output)),
        attributes=tuple(map(decode_attribute, proto.attribute)),
    )


_decode_small_node = lru_cache(maxsize=4096)(_decode_node)


def decode_attribute(data: bytes) -> Attribute:
    """Return an attribute from its bytes. Raises ValueError if it cannot be decoded."""
    proto = reading.parse_attribute(data)
    # protobuf gives an absent field its default value, so only the wire format shows which fields are present.
    given = {FIELDS[number] for number, _, _, _ in wire.fields(data) if number in FIELDS}
    return Attribute(name=text(proto.name), kind=proto.type, given=frozenset(given), value=proto)


def kind_name(kind: int) -> str:
    """Return the name of an attribute type, or its number if it is unknown."""
    return KINDS[kind] if 0 <= kind < len(KINDS) else str(kind)

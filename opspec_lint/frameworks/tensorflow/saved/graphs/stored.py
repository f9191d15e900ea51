"""A GraphDef that stays in its file: nodes are read and decoded when they are accessed, and not kept.

Memory stays far below the size of the file, and weights in large constants are never read.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from itertools import accumulate, chain, islice

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs
from opspec_lint.frameworks.tensorflow.saved.graphs.node_columns import read_columns
from opspec_lint.frameworks.tensorflow.saved.graphs.node_spans import LARGE, find_spans, read_large_node
from opspec_lint.models.files import BrokenModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet
    from typing import Any, TypeVar

    from opspec_lint.frameworks.tensorflow.saved.graphs.node_columns import NodeColumns
    from opspec_lint.frameworks.tensorflow.saved.graphs.node_spans import Span
    from opspec_lint.models.byte_source import ByteSource

    _T = TypeVar("_T")

_BATCH = 2000
"""Nodes that are parsed together."""
_MAX_DECODED_SPANS = 8
"""Spans that stay decoded for access by index."""


def decode_error(file: str, name: str) -> BrokenModelError:
    """Return the error for a file that is not a message of this name, such as "GraphDef"."""
    return BrokenModelError(
        file, f"is no {name}: its bytes cannot be decoded", advice="it may be truncated: copy it again"
    )


class StoredNodes(Sequence["Any"]):
    """The nodes of a stored graph as a sequence of RawNodeDefs, each decoded on access.

    Args:
        content: the bytes of the graph.
        spans: the ranges of bytes with nodes (`node_spans`).
        file: the name of the graph in messages.
    """

    def __init__(self, content: ByteSource, spans: Sequence[Span], file: str) -> None:
        self._content = content
        self._spans = spans
        self._file = file
        # For each span, the number of nodes up to its end.
        self._ends = list(accumulate(span.nodes for span in spans))
        self._decoded_spans: OrderedDict[int, Any] = OrderedDict()
        self.ops: frozenset[str] | None = None
        """The ops of all nodes, None before a pass over all of them (`bulk_check`)."""
        self.names: AbstractSet[str] | None = None
        """The names of all nodes, None before such a pass."""

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[place] for place in range(*at.indices(len(self)))]
        place = at + len(self) if at < 0 else at
        if not 0 <= place < len(self):
            raise IndexError(at)
        span = bisect_right(self._ends, place)
        if span not in self._decoded_spans:
            self._decoded_spans[span] = self._decode_span(self._spans[span])
            if len(self._decoded_spans) > _MAX_DECODED_SPANS:
                self._decoded_spans.popitem(last=False)
        first = self._ends[span] - self._spans[span].nodes
        return self._decoded_spans[span][place - first]

    def __iter__(self) -> Iterator[Any]:
        for span in self._spans:
            yield from self._decode_span(span)

    def parse_node(self, data: bytes) -> Any:
        """Parse a serialized NodeDef; malformed bytes raise BrokenModelError."""
        return self._parse(message("RawNodeDef").FromString, data)

    def mentioning(self, texts: Iterable[str]) -> Iterator[Any]:
        """Yield the nodes whose bytes contain one of the texts: all with such a name or op, and possibly others.

        Searching the bytes of a span takes a fraction of the time of decoding its nodes; the caller compares exactly.
        """
        searched = [text.encode() for text in texts]
        for span in self._spans:
            if span.is_large or _contains_any(self._content.read(span.begin, span.end), searched):
                yield from (self.parse_node(node) for node in self._nodes_of(span) if _contains_any(node, searched))

    def columns(self) -> Iterator[NodeColumns]:
        """Yield all nodes as columns, in batches of about 2000; elements of large tensors are left out."""
        for batch in self._batches():
            yield self._parse(read_columns, batch)

    def inputs_of(self, places: Sequence[int]) -> dict[int, list[str]]:
        """Return the inputs of the nodes with the given indexes, which must be in ascending order."""
        nodes = self._nodes_at(places)
        batches = iter(lambda: list(islice(nodes, _BATCH)), [])
        rows = chain.from_iterable(self._parse(read_columns, batch).inputs_by_node() for batch in batches)
        return dict(zip(places, rows, strict=True))

    def _nodes_at(self, places: Sequence[int]) -> Iterator[bytes]:
        """Yield the serialized nodes with the given ascending indexes, splitting each span once."""
        first = 0
        for span, end in zip(self._spans, self._ends, strict=True):
            last = bisect_left(places, end, first)
            if first < last:
                nodes = self._nodes_of(span)
                yield from (nodes[place - end + span.nodes] for place in places[first:last])
            first = last

    def _batches(self) -> Iterator[list[bytes]]:
        """Yield all nodes, serialized, in lists of at least 2000."""
        batch: list[bytes] = []
        for span in self._spans:
            batch += self._nodes_of(span)
            if len(batch) >= _BATCH:
                yield batch
                batch = []
        if batch:
            yield batch

    def _nodes_of(self, span: Span) -> Sequence[bytes]:
        """Return the serialized nodes of a span, without the elements of large tensors."""
        if not span.is_large:
            return self._parse(_split_span, self._content.read(span.begin, span.end))
        return (read_large_node(self._content, span.begin, span.end),)

    def _decode_span(self, span: Span) -> Any:
        """Return the nodes of a span as RawNodeDefs."""
        return self._parse(message("RawGraphDef").FromString, self._content.read(span.begin, span.end)).node

    def _parse(self, read: Callable[[Any], _T], data: Any) -> _T:
        """Apply a parser to bytes; an error of protobuf becomes one that names the file."""
        from google.protobuf.message import DecodeError

        try:
            return read(data)
        except DecodeError:
            raise decode_error(self._file, "GraphDef") from None


def _contains_any(data: bytes, texts: Iterable[bytes]) -> bool:
    return any(text in data for text in texts)


def _split_span(data: bytes) -> Sequence[bytes]:
    """Return the serialized nodes in the bytes of a span, without the elements of large tensors."""
    nodes: Sequence[bytes] = list(message("FramedGraphDef").FromString(data).node)
    if max(map(len, nodes)) <= LARGE:
        return nodes
    return [node if len(node) <= LARGE else attrs.strip_node(memoryview(node)) for node in nodes]


class StoredGraph:
    """A GraphDef with the fields of the message, where `node` is a StoredNodes.

    Malformed bytes raise BrokenModelError, with `decodes_nodes` at once, otherwise when the node is accessed.
    `file` is its name in messages.
    """

    def __init__(self, content: ByteSource, file: str, *, decodes_nodes: bool = False) -> None:
        from google.protobuf.message import DecodeError

        try:
            spans, self._rest = find_spans(content, decodes_nodes=decodes_nodes)
        except DecodeError:
            raise decode_error(file, "GraphDef") from None
        self.node = StoredNodes(content, spans, file)
        self.library = self._rest.library
        self.version = self._rest.version
        self.versions = self._rest.versions

    def HasField(self, name: str) -> bool:  # noqa: N802 - the name that messages have for it
        """Return whether a field is set, as the method of protobuf messages does."""
        return bool(self._rest.HasField(name))

"""A GraphDef that stays where it is stored: what of it is looked at is read, and not kept."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from itertools import accumulate, chain, islice

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs
from opspec_lint.frameworks.tensorflow.saved.graphs.columns import columns
from opspec_lint.frameworks.tensorflow.saved.graphs.framing import LARGE, framed, large_node
from opspec_lint.models.files import BrokenModelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet
    from typing import Any, TypeVar

    from opspec_lint.frameworks.tensorflow.saved.graphs.columns import Columns
    from opspec_lint.frameworks.tensorflow.saved.graphs.framing import Span
    from opspec_lint.models.byte_source import ByteSource

    _T = TypeVar("_T")

_BATCH = 2000
"""Nodes that are looked at together."""
_KEPT = 8
"""Spans that are kept decoded."""


def broken(file: str, name: str) -> BrokenModelError:
    """Return the error that the bytes of a file are no message of a name."""
    return BrokenModelError(file, f"is no {name}: its bytes cannot be decoded", advice="is the file complete?")


class StoredNodes(Sequence["Any"]):
    """Nodes of a stored graph; each is a RawNodeDef when it is looked at.

    Args:
        content: the bytes of the graph.
        spans: where nodes are in them.
        file: what an error calls the graph.
    """

    def __init__(self, content: ByteSource, spans: Sequence[Span], file: str) -> None:
        self._content = content
        self._spans = spans
        self._file = file
        self._ends = list(accumulate(span.nodes for span in spans))
        self._kept: OrderedDict[int, Any] = OrderedDict()
        self.ops: frozenset[str] | None = None
        """The ops of the nodes, None as long as nobody looked at all."""
        self.names: AbstractSet[str] | None = None
        """The names of the nodes, None as long as nobody looked at all."""

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        place = at + len(self) if at < 0 else at
        if not 0 <= place < len(self):
            raise IndexError(at)
        span = bisect_right(self._ends, place)
        if span not in self._kept:
            self._kept[span] = self._decoded(self._spans[span])
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[span][place - self._ends[span] + self._spans[span].nodes]

    def __iter__(self) -> Iterator[Any]:
        for span in self._spans:
            yield from self._decoded(span)

    def node(self, data: bytes) -> Any:
        """Return the RawNodeDef of its bytes.

        Raises:
            BrokenModelError: the bytes cannot be decoded.
        """
        return self._guarded(message("RawNodeDef").FromString, data)

    def with_any(self, words: Iterable[str]) -> Iterator[Any]:
        """Yield the nodes that may have one of some words as their name or op: it stands in their bytes.

        Raises:
            BrokenModelError: a node cannot be decoded.
        """
        wanted = [each.encode() for each in words]
        for span in self._spans:
            if span.is_large or _has_any(self._content.read(span.begin, span.end), wanted):
                yield from (self.node(each) for each in self._nodes_of(span) if _has_any(each, wanted))

    def columns(self) -> Iterator[Columns]:
        """Yield the columns of the nodes, of some at a time; of large tensors, the elements are left out.

        Raises:
            BrokenModelError: a node cannot be decoded.
        """
        for batch in self._batches():
            yield self._guarded(columns, batch)

    def inputs_of(self, places: Sequence[int]) -> dict[int, list[str]]:
        """Return the inputs of the nodes at some places.

        Args:
            places: in ascending order.

        Raises:
            BrokenModelError: a node cannot be decoded.
        """
        nodes = self._at(places)
        batches = iter(lambda: list(islice(nodes, _BATCH)), [])
        rows = chain.from_iterable(self._guarded(columns, batch).rows() for batch in batches)
        return dict(zip(places, rows, strict=True))

    def _at(self, places: Sequence[int]) -> Iterator[bytes]:
        first = 0
        for span, end in zip(self._spans, self._ends, strict=True):
            last = bisect_left(places, end, first)
            if first < last:
                nodes = self._nodes_of(span)
                yield from (nodes[place - end + span.nodes] for place in places[first:last])
            first = last

    def _batches(self) -> Iterator[list[bytes]]:
        batch: list[bytes] = []
        for span in self._spans:
            batch += self._nodes_of(span)
            if len(batch) >= _BATCH:
                yield batch
                batch = []
        if batch:
            yield batch

    def _nodes_of(self, span: Span) -> Sequence[bytes]:
        """Return the nodes of a span; of large tensors, the elements are left out."""
        if not span.is_large:
            return self._guarded(_small, self._content.read(span.begin, span.end))
        return (large_node(self._content, span.begin, span.end),)

    def _decoded(self, span: Span) -> Any:
        return self._guarded(message("RawGraphDef").FromString, self._content.read(span.begin, span.end)).node

    def _guarded(self, read: Callable[[Any], _T], data: Any) -> _T:
        from google.protobuf.message import DecodeError

        try:
            return read(data)
        except DecodeError:
            raise broken(self._file, "GraphDef") from None


def _has_any(data: bytes, words: Iterable[bytes]) -> bool:
    return any(each in data for each in words)


def _small(data: bytes) -> Sequence[bytes]:
    nodes: Sequence[bytes] = list(message("FramedGraphDef").FromString(data).node)
    if max(map(len, nodes)) <= LARGE:
        return nodes
    return [each if len(each) <= LARGE else attrs.short_node(memoryview(each)) for each in nodes]


class StoredGraph:
    """A GraphDef with the fields of a RawGraphDef.

    Args:
        content: its bytes.
        file: what an error calls it.
        decodes_nodes: whether to decode nodes now, to see that each is one, and not when they are looked at.

    Raises:
        InputError: the bytes are no GraphDef.
    """

    def __init__(self, content: ByteSource, file: str, *, decodes_nodes: bool = False) -> None:
        from google.protobuf.message import DecodeError

        try:
            spans, self._rest = framed(content, decodes_nodes=decodes_nodes)
        except DecodeError:
            raise broken(file, "GraphDef") from None
        self.node = StoredNodes(content, spans, file)
        self.library = self._rest.library
        self.version = self._rest.version
        self.versions = self._rest.versions

    def HasField(self, name: str) -> bool:  # noqa: N802 - the name that messages have for it
        """Tell whether the graph says anything under a name."""
        return bool(self._rest.HasField(name))

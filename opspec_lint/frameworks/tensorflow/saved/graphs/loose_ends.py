"""Loose ends: inputs of nodes that the bulk check could not match with the first output of an earlier node.

Such an input names a later node, an output other than the first, or nothing that fits. It is looked up in its own
batch of nodes first, where most are found, and in the whole graph at the end.
"""

from __future__ import annotations

from itertools import compress

from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import REF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import NodeKind

    End: TypeAlias = tuple[int, str, str]

CONTROL = "(control)"
"""The expected type of a control input, which has no tensor."""


class LooseEnds:
    """The unresolved inputs of a graph: (index of the consumer, input text without ^, expected type)."""

    def __init__(self) -> None:
        self._near: list[End] = []
        self._far: list[End] = []
        self.backward_edges: list[tuple[int, int]] = []
        """Inputs of the right type that come from the node itself or a later one: (consumer, producer), by index."""
        self.unverified: set[int] = set()
        """Indexes of nodes with an input that does not fit or does not exist; `wiring` names the fault."""

    def add(self, places: Iterable[int], texts: Iterable[str], types: Iterable[str]) -> None:
        """Add inputs: indexes of consumers, input texts, and expected types, in parallel."""
        self._near += zip(places, texts, types, strict=True)

    def resolve_nearby(self, names: Sequence[str], kinds: Sequence[NodeKind], start: int) -> None:
        """Resolve the inputs that were just added within their batch of nodes; keep the rest for `resolve`.

        Args:
            names: the names of the nodes of the batch.
            kinds: the kinds of these nodes.
            start: the index in the graph of the first node of the batch.
        """
        if self._near:
            self._far += self._unresolved(self._near, names, kinds, start)
            self._near = []

    def resolve(self, names: Sequence[str], kinds: Sequence[NodeKind]) -> None:
        """Resolve all remaining inputs among all nodes of the graph; nodes whose inputs do not exist are unverified."""
        self.unverified.update(place for place, _, _ in self._unresolved(self._far, names, kinds, 0))
        self._far = []

    def _unresolved(
        self, ends: Sequence[End], names: Sequence[str], kinds: Sequence[NodeKind], start: int
    ) -> Iterator[End]:
        """Check inputs against the nodes that they name, and yield those that name none of these nodes."""
        # A name with a colon is invalid and makes `BulkCheck` discard these results: the first colon starts the index.
        stems = [text[: text.find(":")] if ":" in text else text for _, text, _ in ends]
        matches = map(find_places(set(stems), names).get, stems)
        for end, stem, at in zip(ends, stems, matches, strict=True):
            place, text, expected = end
            if at is None:
                yield end
                continue
            suffix = text[len(stem) :]
            is_control = expected is CONTROL and not suffix
            given = CONTROL if is_control else kinds[at].by_suffix.get(suffix)
            if given != expected and given != expected + REF:
                self.unverified.add(place)
            elif at + start >= place:
                self.backward_edges.append((place, at + start))


def find_places(searched: set[str], names: Sequence[str]) -> dict[str, int]:
    """Return the indexes of the nodes with the searched names, by name."""
    if not searched:
        return {}
    are_meant = list(map(searched.__contains__, names))
    return dict(zip(compress(names, are_meant), compress(range(len(names)), are_meant), strict=True))

"""Loose ends: inputs that were not found among the nodes before those that take them.

They name a node that stands behind, or an output that is not the first, or nothing that fits. Most are tied to a node
nearby; the others when all nodes are known.
"""

from __future__ import annotations

from itertools import compress

from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import REF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from opspec_lint.frameworks.tensorflow.saved.graphs.kinds import Kind

    End: TypeAlias = tuple[int, str, str]

CONTROL = "(control)"
"""In place of a type: of a control input."""


class Ends:
    """Inputs of nodes, each with the place of the node that takes it, and the type that it should have.

    A control input is the name of a node alone.
    """

    def __init__(self) -> None:
        self._near: list[End] = []
        self._far: list[End] = []
        self.late: list[tuple[int, int]] = []
        """The wires from behind that fit: the place of the node that takes a tensor, and of the one that gives it."""
        self.unsure: set[int] = set()
        """The places of the nodes that are not seen to take what they should."""

    def add(self, places: Iterable[int], texts: Iterable[str], types: Iterable[str]) -> None:
        """Note some more."""
        self._near += zip(places, texts, types, strict=True)

    def tie_nearby(self, names: Sequence[str], kinds: Sequence[Kind], start: int) -> None:
        """Look for what was added last among nodes; what is not there is left for later.

        Args:
            names: the names of the nodes.
            kinds: the kinds of the nodes.
            start: the place of the first of them.
        """
        if self._near:
            self._far += self._tied(self._near, names, kinds, start)
            self._near = []

    def tie(self, names: Sequence[str], kinds: Sequence[Kind]) -> None:
        """Look for the others among all nodes; the arguments are those of `tie_nearby`."""
        self.unsure.update(place for place, _, _ in self._tied(self._far, names, kinds, 0))
        self._far = []

    def _tied(self, ends: Sequence[End], names: Sequence[str], kinds: Sequence[Kind], start: int) -> Iterator[End]:
        """Tie ends to nodes whose names are spelled well, so that none has a colon. Yield those that name none."""
        stems = [text[: text.find(":")] if ":" in text else text for _, text, _ in ends]
        found = map(places_of(set(stems), names).get, stems)
        for end, stem, at in zip(ends, stems, found, strict=True):
            place, text, wanted = end
            if at is None:
                yield end
                continue
            suffix = text[len(stem) :]
            given = kinds[at].by_suffix.get(suffix) if suffix or wanted is not CONTROL else CONTROL
            if given != wanted and given != wanted + REF:
                self.unsure.add(place)
            elif at + start >= place:
                self.late.append((place, at + start))


def places_of(wanted: set[str], names: Sequence[str]) -> dict[str, int]:
    """Return where those nodes stand that have some names."""
    if not wanted:
        return {}
    are_meant = list(map(wanted.__contains__, names))
    return dict(zip(compress(names, are_meant), compress(range(len(names)), are_meant), strict=True))

"""A picture that does not move: which boxes of a picture are open, so that it has no more of them than can be read."""

from __future__ import annotations

from heapq import heappop, heappush

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import plural
from opspec_lint.models.picture import words
from opspec_lint.models.picture.box import counts, marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.build import Picture


class Unfolded(Record):
    """A picture with some of its boxes open.

    `arrows` count the tensors between boxes that are seen, `calls` are from boxes that are seen to those of graphs.
    `sizes` are the nodes that boxes stand for, `marks` the numbers of the findings in a box. `left_out` is how many
    nodes are not in the picture.
    """

    whole: Box
    opened: Collection[Box]
    arrows: Mapping[tuple[Box, Box], int]
    calls: Collection[tuple[Box, Box]]
    sizes: Mapping[Box, int]
    marks: Mapping[Box, list[int]]
    left_out: int = 0

    def lines(self, box: Box) -> list[str]:
        """Return the lines of text on a box."""
        found = words.lines(box, self.sizes[box], len(self.marks.get(box, ())))
        return [*found, f"{plural(self.left_out, 'node')} not drawn"] if box is self.whole and self.left_out else found


def unfold(picture: Picture, most: int) -> Unfolded:
    """Return a picture with its largest boxes open, as long as no more than `most` boxes are seen.

    The main graph, and boxes with findings, are opened before others.
    """
    whole = picture.whole
    sizes, marks = counts(whole), marked(whole)
    opened = _opened(whole, most, sizes, marks)
    seen = _seen(whole, opened)
    arrows: dict[tuple[Box, Box], int] = {}
    for (source, target), count in picture.wires.items():
        ends = seen[source], seen[target]
        if ends[0] is not ends[1]:
            arrows[ends] = arrows.get(ends, 0) + count
    called = {
        (seen[box], seen[picture.graphs[name]]): None
        for box in whole.below()
        for name in box.calls
        if name in picture.graphs
    }
    calls = [(source, target) for source, target in called if not _is_inside(source, target)]
    return Unfolded(
        whole=whole,
        opened=opened,
        arrows=arrows,
        calls=calls,
        sizes=sizes,
        marks=marks,
        left_out=picture.left_out,
    )


def _opened(whole: Box, most: int, sizes: Mapping[Box, int], marks: Mapping[Box, list[int]]) -> set[Box]:
    opened, count = {whole}, len(whole.children)
    waiting: list[tuple[bool, bool, int, int, Box]] = []

    def wait(boxes: list[Box], *, are_graphs: bool) -> None:
        for at, box in enumerate(boxes):
            if box.children:
                is_main = are_graphs and not at
                heappush(waiting, (not is_main, box not in marks, -sizes[box], id(box), box))

    wait(whole.children, are_graphs=True)
    while waiting:
        box = heappop(waiting)[-1]
        if count + len(box.children) <= most:
            opened.add(box)
            count += len(box.children)
            wait(box.children, are_graphs=False)
    return opened


def _seen(whole: Box, opened: Collection[Box]) -> dict[Box, Box]:
    """Return for each box the box that it is seen as: itself, or the one around it that is closed."""
    seen: dict[Box, Box] = {}
    for box in whole.below():
        outer = box.parent
        is_hidden = outer is not None and (outer not in opened or seen[outer] is not outer)
        seen[box] = seen[outer] if is_hidden and outer is not None else box
    return seen


def _is_inside(box: Box, other: Box) -> bool:
    at: Box | None = box
    while at is not None and at is not other:
        at = at.parent
    return at is other

"""The static picture of a model: the selection of boxes that are drawn open, within a limit on boxes."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import plural
from opspec_lint.models.picture import labels
from opspec_lint.models.picture.box import finding_numbers, node_counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.build import ModelPicture


class Unfolded(Record):
    """A picture with some of its boxes open.

    `opened` are the open boxes. `arrows` counts the tensors between visible boxes, `calls` leads from a visible box to
    the visible box of the graph that it calls. `sizes` are the nodes per box, `marks` the numbers of findings per box,
    and `left_out` is the number of nodes that are not in the picture.
    """

    whole: Box
    opened: Collection[Box]
    arrows: Mapping[tuple[Box, Box], int]
    calls: Collection[tuple[Box, Box]]
    sizes: Mapping[Box, int]
    marks: Mapping[Box, list[int]]
    left_out: int = 0

    def lines(self, box: Box) -> list[str]:
        """Return the lines of text on a box; the outermost box also states how many nodes are not drawn."""
        lines = labels.box_lines(box, self.sizes[box], len(self.marks.get(box, ())))
        return [*lines, f"{plural(self.left_out, 'node')} not drawn"] if box is self.whole and self.left_out else lines


def unfold(picture: ModelPicture, most: int) -> Unfolded:
    """Return a picture in which boxes are opened while at most `most` boxes are visible.

    The main graph comes first, then boxes with findings, then larger boxes.
    """
    whole = picture.whole
    sizes, marks = node_counts(whole), finding_numbers(whole)
    opened = _choose_open(whole, most, sizes, marks)
    seen = _visible_boxes(whole, opened)
    arrows: dict[tuple[Box, Box], int] = {}
    for (source, target), tensors in picture.wires.items():
        giver, taker = seen[source], seen[target]
        if giver is not taker:
            arrows[giver, taker] = arrows.get((giver, taker), 0) + tensors
    called = {
        (seen[box], seen[picture.graphs[name]]): None
        for box in whole.walk()
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


def _choose_open(whole: Box, most: int, sizes: Mapping[Box, int], marks: Mapping[Box, list[int]]) -> set[Box]:
    """Return the boxes to open, by priority; a box whose children do not fit is skipped."""
    opened, visible = {whole}, len(whole.children)
    order = count()
    waiting: list[tuple[bool, bool, int, int, Box]] = []  # behind what decides its priority: see `queue_boxes`

    def queue_boxes(boxes: list[Box], *, are_graphs: bool) -> None:
        """Add the boxes with children to the queue."""
        for at, box in enumerate(boxes):
            if box.children:
                is_main = are_graphs and not at
                # Of equal boxes the first in the file is opened. Boxes themselves cannot be compared.
                heappush(waiting, (not is_main, box not in marks, -sizes[box], next(order), box))

    queue_boxes(whole.children, are_graphs=True)
    while waiting:
        *_, box = heappop(waiting)
        if visible + len(box.children) <= most:
            opened.add(box)
            visible += len(box.children)
            queue_boxes(box.children, are_graphs=False)
    return opened


def _visible_boxes(whole: Box, opened: Collection[Box]) -> dict[Box, Box]:
    """Return the visible box for each box: itself, or the outermost closed box around it."""
    seen: dict[Box, Box] = {}
    for box in whole.walk():
        outer = box.parent
        is_hidden = outer is not None and (outer not in opened or seen[outer] is not outer)
        seen[box] = seen[outer] if is_hidden and outer is not None else box
    return seen


def _is_inside(box: Box, outer: Box) -> bool:
    """Return True if a box is `outer` or below `outer`."""
    at: Box | None = box
    while at is not None and at is not outer:
        at = at.parent
    return at is outer

"""The arrows of a picture: how many tensors go from one box to another, counted at their innermost common parent."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opspec_lint.models.picture.box import Box


def count_arrows(
    boxes: Mapping[int, Box], copies: Mapping[int, Sequence[int]], wires: Iterable[tuple[int, int]]
) -> dict[tuple[Box, Box], int]:
    """Count the wires between nodes as arrows of the boxes around them, and return the counts between innermost boxes.

    Args:
        boxes: the box of each node, by the node's number.
        copies: by the number of a node, its place in each merged box around it (see `Folding.copies`), innermost first.
        wires: pairs (giver, taker) of node numbers.
    """
    counts: dict[tuple[Box, Box], int] = {}
    for giver, taker in wires:
        source, target = boxes[giver], boxes[taker]
        if copies:
            # Of merged copies, only the first is drawn. A wire from one copy to the next would seem to lead backwards
            # in it, so it becomes an arrow from the merged box to itself.
            crossed = _crossed_copies(source, target, copies.get(giver, ()), copies.get(taker, ()))
            if crossed is not None:
                _add_count(crossed.parent or crossed, crossed, crossed, 1)
                continue
        if source is not target:
            counts[source, target] = counts.get((source, target), 0) + 1
    for (source, target), count in counts.items():
        _count_at_common_parent(source, target, count)
    return counts


def _count_at_common_parent(source: Box, target: Box, count: int) -> None:
    """Add wires between two boxes to the arrows of their innermost common parent."""
    while source.depth > target.depth and source.parent is not None:
        source = source.parent
    while target.depth > source.depth and target.parent is not None:
        target = target.parent
    while source.parent is not target.parent and source.parent is not None and target.parent is not None:
        source, target = source.parent, target.parent
    if source is not target and source.parent is not None:
        _add_count(source.parent, source, target, count)


def _add_count(place: Box, source: Box, target: Box, count: int) -> None:
    """Add to the number of wires of one arrow of `place`."""
    place.arrows[source, target] = place.arrows.get((source, target), 0) + count


def _crossed_copies(source: Box, target: Box, given: Sequence[int], taken: Sequence[int]) -> Box | None:
    """Return the outermost merged box that has the two nodes in different copies, None if there is none.

    `given` and `taken` are the copies of the two nodes, as in `count_arrows`.
    """
    source_boxes, target_boxes = _enclosing_copies(source), _enclosing_copies(target)
    for place, (source_box, target_box) in enumerate(zip(source_boxes, target_boxes, strict=False)):
        if source_box is not target_box:
            return None
        # `copies` has the inner ones first.
        if given[len(source_boxes) - 1 - place] != taken[len(target_boxes) - 1 - place]:
            return source_box
    return None


def _enclosing_copies(box: Box) -> list[Box]:
    """Return the merged boxes around a box, the outermost first."""
    enclosing = []
    at: Box | None = box
    while at is not None:
        if at.kind == "alike":
            enclosing.append(at)
        at = at.parent
    return enclosing[::-1]

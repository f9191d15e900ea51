"""The arrows of a picture: which box gives tensors to which, told at the box that both of them stand in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opspec_lint.models.picture.box import Box


def draw(
    boxes: Mapping[int, Box], copies: Mapping[int, Sequence[int]], wires: Iterable[tuple[int, int]]
) -> dict[tuple[Box, Box], int]:
    """Count the wires between nodes at the boxes that hold both of their ends, and return those between single boxes.

    A wire from one of several parts that are alike to another of them is an arrow from their box to itself: only one
    part is drawn, and it would seem to lead backwards in it.

    Args:
        boxes: the box of each node.
        copies: of which of the parts that are alike a node was, inner parts first.
        wires: numbers of the node that gives, and of the one that takes.
    """
    found: dict[tuple[Box, Box], int] = {}
    for giver, taker in wires:
        source, target = boxes[giver], boxes[taker]
        if copies:
            crossed = _crossed(source, target, copies.get(giver, ()), copies.get(taker, ()))
            if crossed is not None:
                _count(crossed.parent or crossed, crossed, crossed, 1)
                continue
        if source is not target:
            found[source, target] = found.get((source, target), 0) + 1
    for (source, target), count in found.items():
        _between(source, target, count)
    return found


def _between(source: Box, target: Box, count: int) -> None:
    while source.depth > target.depth and source.parent is not None:
        source = source.parent
    while target.depth > source.depth and target.parent is not None:
        target = target.parent
    while source.parent is not target.parent and source.parent is not None and target.parent is not None:
        source, target = source.parent, target.parent
    if source is not target and source.parent is not None:
        _count(source.parent, source, target, count)


def _count(place: Box, source: Box, target: Box, count: int) -> None:
    place.arrows[source, target] = place.arrows.get((source, target), 0) + count


def _crossed(source: Box, target: Box, given: Sequence[int], taken: Sequence[int]) -> Box | None:
    """Return the outermost box of parts that are alike which both nodes are in, in two parts of it; None for none."""
    mine, theirs = _around(source), _around(target)
    for place, (one, other) in enumerate(zip(mine, theirs, strict=False)):
        if one is not other:
            return None
        # `copies` has the inner ones first.
        if given[len(mine) - 1 - place] != taken[len(theirs) - 1 - place]:
            return one
    return None


def _around(box: Box) -> list[Box]:
    """Return the boxes of parts that are alike around a box, the outermost first."""
    found = []
    at: Box | None = box
    while at is not None:
        if at.kind == "alike":
            found.append(at)
        at = at.parent
    return found[::-1]

"""The arrows of a picture: the tensors that go from one innermost box to another."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opspec_lint.models.picture.box import Box


def count_arrows(
    boxes: Mapping[int, Box], copies: Mapping[int, Sequence[int]], wires: Iterable[tuple[int, int, str]]
) -> tuple[dict[tuple[Box, Box], int], dict[tuple[Box, Box], str]]:
    """Return the number of tensors between innermost boxes, and the name of a tensor of each arrow.

    The named tensor is the first one, or a control input (`^NAME`) where the arrow has no tensors.

    Args:
        boxes: the box of each node, by the node's number.
        copies: by the number of a node, its place in each merged box around it (see `Folding.copies`), innermost first.
        wires: triples (giver, taker, tensor); giver and taker are node numbers.
    """
    counts: dict[tuple[Box, Box], int] = {}
    tensors: dict[tuple[Box, Box], str] = {}
    for giver, taker, tensor in wires:
        source, target = boxes[giver], boxes[taker]
        # Of merged copies, only the first is drawn. A wire from one copy to the next would seem to lead backwards in
        # it, so it is left out.
        is_between_copies = bool(copies) and _is_between_copies(
            source, target, copies.get(giver, ()), copies.get(taker, ())
        )
        if source is not target and not is_between_copies:
            counts[source, target] = counts.get((source, target), 0) + 1
            if tensors.get((source, target), "^").startswith("^"):
                tensors[source, target] = tensor
    return counts, tensors


def _is_between_copies(source: Box, target: Box, given: Sequence[int], taken: Sequence[int]) -> bool:
    """Return True if a merged box has the two nodes in different copies.

    `given` and `taken` are the copies of the two nodes, as in `count_arrows`.
    """
    source_boxes, target_boxes = _enclosing_copies(source), _enclosing_copies(target)
    for place, (source_box, target_box) in enumerate(zip(source_boxes, target_boxes, strict=False)):
        if source_box is not target_box:
            return False
        # `copies` has the inner ones first.
        if given[len(source_boxes) - 1 - place] != taken[len(target_boxes) - 1 - place]:
            return True
    return False


def _enclosing_copies(box: Box) -> list[Box]:
    """Return the merged boxes around a box, the outermost first."""
    enclosing = []
    at: Box | None = box
    while at is not None:
        if at.kind == "alike":
            enclosing.append(at)
        at = at.parent
    return enclosing[::-1]

"""The picture of a model: all its graphs as boxes in boxes, folded, with their arrows and with what an audit found."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.models.picture import arrows, scopes
from opspec_lint.models.picture.box import Box
from opspec_lint.models.picture.fold import Folding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opspec_lint.models.model import Graph, Model, Node, Sketch

MOST_NODES = 100_000
_MOST_WIRES = 1_000_000
MAIN = "main graph"


class Picture(Record):
    """The picture of a model.

    `whole` holds the box of each graph, `names` are the names of all nodes by their numbers, `graphs` the boxes of the
    graphs by their names, in which several that are alike are one box. `wires` counts the tensors that go from one node
    to another. `left_out` is how many nodes are not drawn, because there are too many. `drawn` are the graphs, and how
    many nodes of each are drawn.
    """

    whole: Box
    names: Sequence[str]
    graphs: Mapping[str, Box]
    wires: Mapping[tuple[Box, Box], int]
    left_out: int = 0
    drawn: Sequence[tuple[Graph, int]] = ()

    def node(self, number: int) -> tuple[Graph, Node]:
        """Return the graph and the node of a number.

        Raises:
            InputError: the node cannot be read.
        """
        for graph, count in self.drawn:
            if number < count:
                return graph, graph.nodes[number]
            number -= count
        raise IndexError(number)


def picture(model: Model, marks: Iterable[tuple[int, str, str]] = ()) -> Picture:
    """Return the picture of a model.

    Args:
        model: the model.
        marks: the number of a finding, and graph and name of a node that it is about.

    Raises:
        InputError: a node cannot be read.
    """
    drawn, left_out = _drawn([graph for meta in model.meta_graphs for graph in meta.graphs])
    names: list[str] = []
    whole = Box(model.file, "whole")
    sketches: list[list[Sketch]] = []
    for graph, count in drawn:
        found = _sketches(model, graph, count)
        box = scopes.tree(graph.name or MAIN, found, graph.ops()[:count], len(names))
        names += [each.name for each in found]
        sketches.append(found)
        whole.children.append(box)
    boxes = _by_number(whole)
    _mark(boxes, drawn, names, marks)
    _call(boxes, sketches)
    tops = list(whole.children)
    folding = Folding(whole)
    whole.place_children()
    boxes = _by_number(whole)
    wires = arrows.draw(boxes, folding.copies, _wires(sketches))
    graphs = {graph.name: top for (graph, _), top in zip(drawn, _kept(tops, whole, boxes), strict=True)}
    return Picture(whole=whole, names=names, graphs=graphs, wires=wires, left_out=left_out, drawn=drawn)


def _sketches(model: Model, graph: Graph, count: int) -> list[Sketch]:
    try:
        return [graph.nodes.sketch(at) for at in range(count)]
    except InputError as error:
        where = f"graph '{graph.name}'" if graph.name else MAIN
        raise InputError(model.file, f"{where}: {error.message}", advice=error.advice) from None


def _drawn(graphs: Iterable[Graph]) -> tuple[list[tuple[Graph, int]], int]:
    """Return which graphs are drawn, and how many nodes of each, and how many nodes are left out."""
    drawn: list[tuple[Graph, int]] = []
    left, left_out = MOST_NODES, 0
    for graph in graphs:
        count = min(left, len(graph.nodes))
        left -= count
        left_out += len(graph.nodes) - count
        if count or not drawn:
            drawn.append((graph, count))
    return drawn, left_out


def _by_number(whole: Box) -> dict[int, Box]:
    return {number: box for box in whole.below() for number in box.members}


def _kept(tops: Iterable[Box], whole: Box, boxes: Mapping[int, Box]) -> Iterator[Box]:
    """Yield for each graph the box that it is drawn in: its own, or the one of those that are like it."""
    kept = {id(box): box for box in whole.below()}
    for top in tops:
        first = next((number for box in top.below() for number in box.members), None)
        box = kept.get(id(top)) or (whole if first is None else boxes[first])
        while id(top) not in kept and box.parent is not None and box.parent.kind in ("scope", "alike", "node", "kin"):
            box = box.parent
        yield box


def _mark(
    boxes: Mapping[int, Box],
    drawn: Sequence[tuple[Graph, int]],
    names: Sequence[str],
    marks: Iterable[tuple[int, str, str]],
) -> None:
    wanted: dict[tuple[str, str], list[int]] = {}
    for finding, name, node in marks:
        wanted.setdefault((name, node), []).append(finding)
    first = 0
    for graph, count in drawn if wanted else ():
        for at in range(first, first + count):
            boxes[at].marks += wanted.get((graph.name, names[at]), ())
        first += count


def _call(boxes: Mapping[int, Box], sketches: Iterable[Sequence[Sketch]]) -> None:
    for number, each in enumerate(each for found in sketches for each in found):
        if each.calls:
            boxes[number].calls |= dict.fromkeys(each.calls)


def _wires(sketches: Iterable[Sequence[Sketch]]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of nodes of which the second takes a tensor that the first gives."""
    first, left = 0, _MOST_WIRES
    for found in sketches:
        givers = {each.name: number for number, each in enumerate(found, first) if not each.gives}
        latest: dict[str, int] = {}
        for number, each in enumerate(found, first):
            for tensor in each.takes:
                giver = _giver(tensor, latest, givers)
                if giver is not None and left > 0:
                    left -= 1
                    yield giver, number
            latest |= dict.fromkeys(each.gives, number)
        first += len(found)


def _giver(tensor: str, latest: Mapping[str, int], givers: Mapping[str, int]) -> int | None:
    """Return the node that gives a tensor: the last one before that gives it, or the node that it is named for.

    Where nodes name what they give, they stand in the order in which they are run, and may give a tensor again.
    """
    found = latest.get(tensor)
    return givers.get(tensor.removeprefix("^").partition(":")[0]) if found is None else found

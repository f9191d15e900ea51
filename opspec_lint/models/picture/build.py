"""The construction of a picture: all graphs of a model as nested boxes, folded, with arrows and the marks of findings.

Steps: select the nodes that fit; group each graph by the scopes of its names; fold similar boxes; count the arrows.
"""

from __future__ import annotations

from itertools import chain, islice

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.models.picture import arrows, scopes
from opspec_lint.models.picture.box import Box
from opspec_lint.models.picture.fold import FEW, Folding, Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opspec_lint.models.model import Graph, Model, Node, Sketch

MAX_NODES = 100_000
SMALL = 300
"""A graph of fewer nodes is readable as a whole."""
_MAX_WIRES = 1_000_000
_MANY = 600
"""Boxes that a browser draws side by side; only where there are more, neighbours without a common scope are grouped."""
MAIN = "main graph"


class ModelPicture(Record):
    """The picture of a model.

    `whole` contains the box of each graph. `names` are the names of all nodes by their numbers. `graphs` maps the name
    of a graph to its box; merged graphs share one. `wires` counts the tensors from one node's box to another's, and
    `tensors` has the name of the first tensor. `drawn` are the graphs, with the number of nodes drawn for each,
    `sketches` these nodes, `node_wires` triples (giver, taker, tensor) of node numbers, and `left_out` is the number of
    nodes beyond MAX_NODES.
    """

    whole: Box
    names: Sequence[str]
    graphs: Mapping[str, Box]
    wires: Mapping[tuple[Box, Box], int]
    tensors: Mapping[tuple[Box, Box], str] = {}
    left_out: int = 0
    drawn: Sequence[tuple[Graph, int]] = ()
    sketches: Sequence[Sequence[Sketch]] = ()
    node_wires: Sequence[tuple[int, int, str]] = ()

    def node(self, number: int) -> tuple[Graph, Node]:
        """Return the graph and the node with a number. Raises InputError if the node cannot be read."""
        for graph, count in self.drawn:
            if number < count:
                return graph, graph.nodes[number]
            number -= count
        raise IndexError(number)


def build_picture(
    model: Model, marks: Iterable[tuple[int, str, str]] = (), *, folds_small: bool = True
) -> ModelPicture:
    """Return the picture of a model. Raises InputError if a node cannot be read.

    Args:
        model: the model.
        marks: triples: the number of a finding, and the graph and the name of a node that it concerns.
        folds_small: fold all graphs, as a picture of limited size needs; otherwise only graphs of many nodes.
    """
    drawn, left_out = _select_nodes([graph for meta in model.meta_graphs for graph in meta.graphs])
    names: list[str] = []
    whole = Box(model.file, "whole")
    sketches: list[list[Sketch]] = []
    wires: list[list[tuple[int, int, str]]] = []
    wires_left = _MAX_WIRES
    for graph, count in drawn:
        graph_sketches = _sketches(model, graph, count)
        graph_wires = list(islice(_wires(graph_sketches, len(names)), wires_left))
        wires.append(graph_wires)
        wires_left -= len(graph_wires)
        ends = ((giver, taker) for giver, taker, _ in graph_wires)
        box = scopes.scope_tree(graph.name or MAIN, graph_sketches, graph.ops()[:count], len(names), ends)
        names += [sketch.name for sketch in graph_sketches]
        sketches.append(graph_sketches)
        whole.children.append(box)
    boxes = _boxes_by_node(whole)
    _add_finding_marks(boxes, drawn, names, marks)
    _add_calls(boxes, model, drawn, sketches)
    # Folding replaces boxes of graphs by merged ones, so the original ones are kept to find the box of each graph.
    tops = list(whole.children)
    copies = _fold(whole, wires) if folds_small else _fold_large_graphs(tops, drawn, wires)
    whole.set_parents()
    # Merged boxes have taken over nodes of their copies.
    boxes = _boxes_by_node(whole)
    counts, tensors = arrows.count_arrows(boxes, copies, chain.from_iterable(wires))
    graphs = {graph.name: top for (graph, _), top in zip(drawn, _boxes_of_graphs(tops, whole, boxes), strict=True)}
    return ModelPicture(
        whole=whole,
        names=names,
        graphs=graphs,
        wires=counts,
        tensors=tensors,
        left_out=left_out,
        drawn=drawn,
        sketches=sketches,
        node_wires=list(chain.from_iterable(wires)),
    )


def _fold(whole: Box, wires: Iterable[Sequence[tuple[int, int, str]]]) -> Mapping[int, Sequence[int]]:
    """Fold all graphs, and merge those that are alike; return the copies of nodes."""
    return Folding(whole, ((giver, taker) for giver, taker, _ in chain.from_iterable(wires))).copies


def _fold_large_graphs(
    tops: Iterable[Box], drawn: Iterable[tuple[Graph, int]], wires: Iterable[Sequence[tuple[int, int, str]]]
) -> Mapping[int, Sequence[int]]:
    """Fold the graphs of many nodes; return the copies of nodes."""
    copies: dict[int, Sequence[int]] = {}
    for top, (_, count), graph_wires in zip(tops, drawn, wires, strict=True):
        if count >= SMALL:
            ends = ((giver, taker) for giver, taker, _ in graph_wires)
            copies |= Folding(top, ends, Limits(few=FEW, many=_MANY)).copies
    return copies


def _sketches(model: Model, graph: Graph, count: int) -> list[Sketch]:
    """Return the sketches of the first `count` nodes of a graph; an error names the graph."""
    try:
        return [graph.nodes.sketch(at) for at in range(count)]
    except InputError as error:
        where = f"graph '{graph.name}'" if graph.name else MAIN
        raise InputError(model.file, f"{where}: {error.message}", advice=error.advice) from None


def _select_nodes(graphs: Iterable[Graph]) -> tuple[list[tuple[Graph, int]], int]:
    """Return the graphs to draw with the number of nodes of each, and the number of nodes that are left out."""
    drawn: list[tuple[Graph, int]] = []
    left, left_out = MAX_NODES, 0
    for graph in graphs:
        count = min(left, len(graph.nodes))
        left -= count
        left_out += len(graph.nodes) - count
        if count or not drawn:
            drawn.append((graph, count))
    return drawn, left_out


def _boxes_by_node(whole: Box) -> dict[int, Box]:
    """Return the innermost box of each node, by the node's number."""
    return {number: box for box in whole.walk() for number in box.members}


def _boxes_of_graphs(tops: Iterable[Box], whole: Box, boxes: Mapping[int, Box]) -> Iterator[Box]:
    """Yield the box that each graph is drawn in: its own, or the merged box that replaced it."""
    kept = {id(box): box for box in whole.walk()}
    for top in tops:
        first = next((number for box in top.walk() for number in box.members), None)
        box = kept.get(id(top)) or (whole if first is None else boxes[first])
        while id(top) not in kept and box.parent is not None and box.parent.kind in ("scope", "alike", "node", "kin"):
            box = box.parent
        yield box


def _add_finding_marks(
    boxes: Mapping[int, Box],
    drawn: Sequence[tuple[Graph, int]],
    names: Sequence[str],
    marks: Iterable[tuple[int, str, str]],
) -> None:
    """Add the numbers of findings to the boxes of the nodes that they concern."""
    by_node: dict[tuple[str, str], list[int]] = {}
    for finding, name, node in marks:
        by_node.setdefault((name, node), []).append(finding)
    if not by_node:  # most pictures; a graph may have 100,000 nodes
        return
    first = 0
    for graph, count in drawn:
        for at in range(first, first + count):
            boxes[at].marks += by_node.get((graph.name, names[at]), ())
        first += count


def _add_calls(
    boxes: Mapping[int, Box],
    model: Model,
    drawn: Sequence[tuple[Graph, int]],
    sketches: Sequence[Sequence[Sketch]],
) -> None:
    """Add the names of graphs to the boxes of the nodes that run them."""
    firsts: dict[int, int] = {}
    functions = {graph.name for graph, _ in drawn if graph.name}
    first = 0
    for (graph, count), graph_sketches in zip(drawn, sketches, strict=True):
        firsts[id(graph)] = first
        for number, (op, sketch) in enumerate(zip(graph.ops()[:count], graph_sketches, strict=True), first):
            # An op with the name of a graph is a call of this function (ONNX).
            names = (*sketch.calls, op) if op in functions else sketch.calls
            if names:
                boxes[number].calls |= dict.fromkeys(names)
        first += count
    for meta in model.meta_graphs:
        for graph in meta.graphs:
            if graph.within is None or graph.holder is None or id(graph) not in firsts:
                continue
            holder = firsts.get(id(meta.graphs[graph.within]), first) + graph.holder
            if holder in boxes:
                boxes[holder].calls[graph.name] = None


def _wires(sketches: Sequence[Sketch], first: int) -> Iterator[tuple[int, int, str]]:
    """Yield (giver, taker, tensor) for the nodes of a graph, which are numbered from `first` on."""
    givers = {sketch.name: number for number, sketch in enumerate(sketches, first) if not sketch.gives}
    latest: dict[str, int] = {}
    for number, sketch in enumerate(sketches, first):
        for tensor in sketch.takes:
            giver = _giver(tensor, latest, givers)
            if giver is not None:
                yield giver, number, tensor
        latest |= dict.fromkeys(sketch.gives, number)


def _giver(tensor: str, latest: Mapping[str, int], givers: Mapping[str, int]) -> int | None:
    """Return the number of the node that produces a tensor, None if no node does.

    It is the latest node so far with this output, or else the node that the tensor is named after, as in TensorFlow.
    """
    number = latest.get(tensor)
    # TensorFlow: `^node` is a control input, and `node:1` the second output of a node.
    return givers.get(tensor.removeprefix("^").partition(":")[0]) if number is None else number

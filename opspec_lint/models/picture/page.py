"""The data of the HTML page of a model: its boxes with their drawings, its findings, and the index for the search."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, plural
from opspec_lint.models import model_text
from opspec_lint.models.audit import verdict_sentence
from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.models.picture import labels
from opspec_lint.models.picture.box import finding_numbers, node_counts
from opspec_lint.models.picture.build import build_picture
from opspec_lint.models.picture.facts import (
    group_facts,
    node_facts,
    output_type,
    tensor_text,
    tensors_by_graph,
    type_text,
)
from opspec_lint.models.picture.layout import layout
from opspec_lint.models.picture.pictures import finding_marks
from opspec_lint.models.picture.start import serving_signature, start_graph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.build import ModelPicture
    from opspec_lint.models.picture.facts import NodeFact
    from opspec_lint.models.picture.layout import BoxLayout
    from opspec_lint.models.view import ShownModel
    from opspec_lint.report.findings import Finding

_MAX_BOXES = 20_000
"""Boxes on a page; the nodes in further boxes are counted."""
_MAX_NAMES = 20
"""Node names that are listed in a box; the search knows all."""
_MAX_LINKS = 12
_MAX_FACTS = 5_000
"""Boxes of nodes on a page for which tensors and attrs are listed."""


class PageBox(Record):
    """A box on the page.

    `lines` are the lines of text on the box, `size` its number of nodes, `names` the first of the node names if it has
    no inner boxes. `takes` are the boxes that its inputs come from, `calls` the graphs that it calls (as id and label),
    `findings` the ids of findings on nodes in it, and `facts` the details of a node. `drawing` is the layout of the
    inner boxes, `inner` these boxes, and `left_out` the number of nodes in boxes beyond `_MAX_BOXES`.
    """

    id: str
    kind: str
    label: str
    lines: tuple[str, ...]
    size: int
    names: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    calls: tuple[tuple[str, str], ...] = ()
    findings: tuple[str, ...] = ()
    facts: tuple[NodeFact, ...] = ()
    drawing: BoxLayout | None = None
    ids: Mapping[Box, str] = {}
    inner: tuple[PageBox, ...] = ()
    left_out: int = 0


class PageFinding(Record):
    """A finding on the page, with the boxes (id and label) of the nodes that it concerns."""

    id: str
    finding: Finding
    boxes: tuple[tuple[str, str], ...]


class PageAudit(Record):
    """An audit on the page: its verdict as text, and its findings."""

    title: str
    verdict: str
    findings: tuple[PageFinding, ...]


class ModelPage(Record):
    """The page of a model; the graph to begin with is the first of `graphs`.

    `takes` and `gives` are the inputs and outputs of the serving signature, and `start` names this signature.
    `has_arrows` is True if the format of the model states which node produces the input of another. `data` is the
    search index: id, label, op and node names of each box.
    """

    id: str
    file: str
    summary: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    has_arrows: bool
    description: str
    audits: tuple[PageAudit, ...]
    graphs: tuple[PageBox, ...]
    start: str
    drawing: BoxLayout | None
    drawn: tuple[PageBox, ...]
    ids: Mapping[Box, str]
    left_out: int
    data: tuple[tuple[Any, ...], ...]


def pages_of(models: Iterable[ShownModel]) -> Iterator[ModelPage]:
    """Yield the page of each model."""
    for at, shown_model in enumerate(models):
        yield _PageBuilder(shown_model, build_picture(shown_model.model, finding_marks(shown_model)), f"m{at}").page()


class _PageBuilder:
    """The construction of one page; `prefix` makes the ids of its elements unique among all models."""

    def __init__(self, shown_model: ShownModel, picture: ModelPicture, prefix: str) -> None:
        self._shown_model = shown_model
        self._picture = picture
        self._prefix = prefix
        self._sizes = node_counts(picture.whole)
        self._marks = finding_numbers(picture.whole)
        self._ids = {box: f"{prefix}b{at}" for at, box in enumerate(_outermost(picture.whole, _MAX_BOXES))}
        self._takes: dict[Box, list[tuple[str, str]]] = {}
        self._known = tensors_by_graph(shown_model.model)
        self._with_facts = {box for at, box in enumerate(_leaf_boxes(self._ids)) if at < _MAX_FACTS}

    def page(self) -> ModelPage:
        """Return the page."""
        whole = self._picture.whole
        shown = self._page_box(whole)
        lines = list(model_text.model_lines(self._shown_model.model))
        first, signature_text = start_graph(self._shown_model.model, self._picture)
        graphs = sorted(shown.inner, key=lambda box: box.id != self._ids.get(first))
        return ModelPage(
            id=self._prefix,
            file=one_line(self._shown_model.model.file),
            summary=self._summary(),
            takes=self._interface("inputs"),
            gives=self._interface("outputs"),
            has_arrows=bool(self._picture.wires),
            description="\n".join(map(one_line, lines[1:])),
            audits=tuple(self._audits()),
            graphs=tuple(graphs),
            start=one_line(signature_text),
            drawing=shown.drawing,
            drawn=shown.inner,
            ids=self._ids,
            left_out=self._picture.left_out + shown.left_out,
            data=tuple(self._search_data()),
        )

    def _summary(self) -> str:
        """Return the format and the size of the model in one line."""
        format_ = MODEL_FORMATS.load(self._shown_model.model.format).summary.partition(" (")[0]
        graphs = [graph for meta in self._shown_model.model.meta_graphs for graph in meta.graphs]
        ops = {op for graph in graphs for op in graph.distinct_ops()}
        nodes = sum(len(graph.nodes) for graph in graphs)
        return f"{format_}, {plural(nodes, 'node')}, {plural(len(ops), 'different op')}"

    def _interface(self, side: str) -> tuple[str, ...]:
        """Return the `inputs` or `outputs` of the serving signature as text."""
        signature = serving_signature(self._shown_model.model)
        tensors = {} if signature is None else getattr(signature, side)
        items = list(tensors.items())[:_MAX_NAMES]
        return tuple(
            one_line(tensor_text(key, tensor.replace(name=key)) if key else type_text(tensor)) for key, tensor in items
        )

    def _page_box(self, box: Box) -> PageBox:
        """Return a box and all boxes in it. The arrows of a box are added to `_takes` before its inner boxes."""
        inner = [child for child in box.children if child in self._ids]
        for source, target in box.arrows:
            if source is not target and source in self._ids:
                self._takes.setdefault(target, []).append((self._ids[source], labels.box_label(source)))
        numbers = self._marks.get(box, [])
        shown = tuple(map(self._page_box, inner))
        drawn = {
            child: tuple(map(labels.cut_middle, page_box.lines[:2]))
            for child, page_box in zip(inner, shown, strict=True)
        }
        arrows = {**box.arrows, **self._calls_between(box)}
        return PageBox(
            id=self._ids[box],
            kind=box.kind,
            label=labels.box_label(box),
            lines=tuple(self._lines_of(box)),
            size=self._sizes[box],
            names=tuple(self._node_label(box, number) for number in box.members[:_MAX_NAMES]),
            takes=tuple(self._takes.get(box, ())[:_MAX_LINKS]),
            calls=tuple(self._calls(box)),
            findings=tuple(f"{self._prefix}f{number}" for number in numbers[:_MAX_LINKS]),
            facts=self._facts_of(box) if box in self._with_facts else (),
            drawing=layout(inner, arrows, drawn) if arrows and len(inner) > 1 else None,
            ids=self._ids,
            inner=shown,
            left_out=sum(self._sizes[child] for child in box.children if child not in self._ids),
        )

    def _facts_of(self, box: Box) -> tuple[NodeFact, ...]:
        """Return the details of the node or nodes that a box represents."""
        if len(box.members) == 1:
            graph, node = self._picture.node(box.members[0])
            return node_facts(node, self._known[id(graph)])
        members = ((number, *self._picture.node(number)) for number in box.members[:_MAX_NAMES])
        return group_facts(
            (self._node_label(box, number), node, self._known[id(graph)]) for number, graph, node in members
        )

    def _node_label(self, box: Box, number: int) -> str:
        """Return the name of a node, without its op if the label of the box shows it."""
        return labels.without_op(one_line(self._picture.names[number]), one_line(box.op))

    def _lines_of(self, box: Box) -> list[str]:
        """Return the lines of text on a box; a node without a name also gets the type of its output."""
        lines = labels.box_lines(box, self._sizes[box], len(self._marks.get(box, ())))
        if box in self._with_facts and box.kind == "node" and len(lines) > 1 and lines[1].startswith("#"):
            graph, node = self._picture.node(box.members[0])
            lines[1] = f"{lines[1]} {output_type(node, self._known[id(graph)])}".rstrip()
        return lines

    def _calls_between(self, box: Box) -> dict[tuple[Box, Box], int]:
        """Return the number of calls from one graph to another, for the drawing of the whole model."""
        if box.kind != "whole":
            return {}
        call_counts: dict[tuple[Box, Box], int] = {}
        for graph in box.children:
            for caller in graph.walk():
                for name in caller.calls:
                    called = self._picture.graphs.get(name, box)
                    # A called graph may be merged into a box with similar ones: the arrow goes to the outermost box
                    # below the whole.
                    while called.parent is not None and called.parent is not box:
                        called = called.parent
                    if called is not box:
                        call_counts[graph, called] = call_counts.get((graph, called), 0) + 1
        return call_counts

    def _calls(self, box: Box) -> Iterator[tuple[str, str]]:
        """Yield id and name of the graphs that a box calls."""
        for name in list(box.calls)[:_MAX_LINKS]:
            graph = self._picture.graphs.get(name)
            if graph in self._ids:
                yield self._ids[graph], one_line(name)

    def _audits(self) -> Iterator[PageAudit]:
        """Yield the audits of the model. Findings are numbered through all audits, as in `finding_marks`."""
        boxes: dict[int, list[Box]] = {}
        for box in self._ids:
            for number in dict.fromkeys(box.marks):
                boxes.setdefault(number, []).append(box)
        first = 0
        for audit in self._shown_model.audits:
            yield PageAudit(
                title=one_line(f"{verdict_sentence(audit)}: {plural(len(audit.findings), 'finding')}"),
                verdict=audit.verdict,
                findings=tuple(
                    PageFinding(
                        id=f"{self._prefix}f{number}",
                        finding=finding,
                        boxes=tuple(
                            (self._ids[box], labels.box_label(box)) for box in boxes.get(number, [])[:_MAX_LINKS]
                        ),
                    )
                    for number, finding in enumerate(audit.findings, first)
                ),
            )
            first += len(audit.findings)

    def _search_data(self) -> Iterator[tuple[object, ...]]:
        """Yield the search index: id, label, op and node names of each box."""
        for box, name in self._ids.items():
            if box.kind != "whole":
                names = [one_line(self._picture.names[number]) for number in box.members]
                yield name, labels.box_label(box), one_line(box.op), *names


def _leaf_boxes(boxes: Iterable[Box]) -> Iterator[Box]:
    """Yield the boxes that represent nodes and contain no other box."""
    return (box for box in boxes if box.members and not box.children)


def _outermost(whole: Box, most: int) -> Iterator[Box]:
    """Yield up to `most` boxes, breadth first, so that outer boxes get a place on the page before inner ones."""
    level = [whole]
    while level and most > 0:
        yield from level[:most]
        most -= len(level)
        level = [child for box in level for child in box.children]

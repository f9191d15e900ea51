"""The data of the HTML page of a model: its boxes and wires for the script, its findings, and a table of its nodes."""

from __future__ import annotations

import os
import shlex
from collections import Counter

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, plural
from opspec_lint.models import model_text
from opspec_lint.models.audit import release_name, verdict_sentence
from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.models.picture import labels
from opspec_lint.models.picture.build import SMALL, build_picture
from opspec_lint.models.picture.compared_pages import ComparedPage, PageNode, mark_differences
from opspec_lint.models.picture.ends import graph_ends
from opspec_lint.models.picture.facts import (
    card_attrs,
    constant_attrs,
    content_of,
    group_facts,
    node_facts,
    short_type,
    tensor_text,
    tensors_by_graph,
    type_text,
)
from opspec_lint.models.picture.pictures import finding_marks
from opspec_lint.models.picture.start import serving_signature, start_graph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.models.model import Graph, Signature, Tensor
    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.compared_pages import PageChange
    from opspec_lint.models.picture.facts import NodeFact
    from opspec_lint.models.view import ShownModel
    from opspec_lint.report.findings import Finding

_MAX_NAMES = 20
"""Names of nodes or tensors that are listed; the search knows all names of nodes."""
_MAX_LINKS = 12
_MAX_FACTS = 10_000
"""Boxes of nodes on a page for which tensors and attrs are listed, and nodes that are compared with another model's."""
_MAX_ROWS = 3_000
"""Rows of the table that a browser without scripts shows."""
_MAX_CARD = 4
"""Weights that are listed on the box of a node."""
_MAX_SHARING = 4
"""Nodes that share a weight which is drawn as a box; the arrows of more would cross the whole picture."""
_MAX_LABEL = 60
"""Characters of a text at an arrow or on a box of an input."""


_NAMESPACE = pattern(r"\w+(\.|::)(?=\w)")
"""The namespace in front of the name of an op of PIR or PyTorch."""


class PageRow(Record):
    """A box of a node, or of several nodes, in the table: its `id`, graph, op and name, and its tensors and attrs."""

    id: str
    graph: str
    op: str
    name: str
    facts: tuple[NodeFact, ...]
    findings: tuple[str, ...]


class PageFinding(Record):
    """A finding on the page, with the boxes (id and label) of the nodes that it concerns.

    `anchor` is its fingerprint, as other reports name it; "" if the page has this fingerprint before.
    """

    id: str
    anchor: str
    finding: Finding
    boxes: tuple[tuple[str, str], ...]


class PageAudit(Record):
    """An audit on the page: its verdict as text, the release, and its findings."""

    title: str
    release: str
    verdict: str
    findings: tuple[PageFinding, ...]


class ModelPage(Record):
    """The page of a model.

    `takes` and `gives` are the inputs and outputs of the serving signature. `has_arrows` is True if the format of the
    model states what nodes take, from nodes or from inputs. `rows` are the first nodes of the model, and `left_out` is
    the number of nodes without a row; `has_graphs` is True if they are of several graphs. `data` is the picture for the
    script, which templates/picture/model.js describes. `verdict` is the result of all audits as text. `nodes` are
    compared with the nodes of another model, empty if nothing is compared; `changes` are the differences. `too_large`
    are the names of the models, of two, that have too many nodes to be compared.
    """

    id: str
    file: str
    name: str
    summary: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    has_arrows: bool
    description: str
    audits: tuple[PageAudit, ...]
    rows: tuple[PageRow, ...]
    has_graphs: bool
    left_out: int
    data: Mapping[str, Any]
    verdict: str = ""
    nodes: tuple[PageNode, ...] = ()
    changes: tuple[PageChange, ...] = ()
    too_large: tuple[str, ...] = ()


def pages_of(models: Iterable[ShownModel]) -> Iterator[ModelPage]:
    """Yield the page of each model; the pages of two models that are compared have their differences."""
    anchors: set[str] = set()
    builders = [_PageBuilder(shown_model, f"m{at}", anchors) for at, shown_model in enumerate(models)]
    pages = [builder.page() for builder in builders]
    if len(pages) == 2 and all(builder.is_compared for builder in builders):
        too_large = tuple(
            page.name for page, builder in zip(pages, builders, strict=True) if builder.has_too_many_nodes
        )
        if too_large:
            pages = [page.replace(nodes=(), too_large=too_large) for page in pages]
        else:
            first, second = (ComparedPage(id=page.id, nodes=page.nodes, boxes=page.data["boxes"]) for page in pages)
            changes = mark_differences(first, second)
            pages = [page.replace(changes=own) for page, own in zip(pages, changes, strict=True)]
    yield from pages


class _PageBuilder:
    """The construction of one page.

    `prefix` makes the ids of its elements unique among all models; `anchors` are the fingerprints that are ids already.
    """

    def __init__(self, shown_model: ShownModel, prefix: str, anchors: set[str]) -> None:
        picture = build_picture(shown_model.model, finding_marks(shown_model), folds_small=False)
        self._shown_model = shown_model
        self._picture = picture
        self._prefix = prefix
        self._format = MODEL_FORMATS.load(shown_model.model.format)
        self._known = tensors_by_graph(shown_model.model)
        self._weights = {
            tensor.name for meta in shown_model.model.meta_graphs for tensor in meta.variables if tensor.name
        }
        self._order = list(_breadth_first(picture.whole))
        self._numbers = {box: at for at, box in enumerate(self._order)}
        self._graphs = [graph for graph, count in picture.drawn for _ in range(count)]
        tops = (picture.graphs[graph.name] for graph, _ in picture.drawn)
        self._graph_numbers = {top: at for at, top in enumerate(tops)}
        self._audits = tuple(self._page_audits(anchors))
        leaves = [box for box in self._order if box.members and not box.children]
        self._ends = [
            list(graph_ends(sketches, self._signature_of(graph), self._weights))
            for (graph, _), sketches in zip(picture.drawn, picture.sketches, strict=True)
        ]
        self._shared = {
            end.tensor
            for (_, count), ends in zip(picture.drawn, self._ends, strict=True)
            for end in ends
            if end.kind == "weight" and count < SMALL and 1 < len(end.nodes) <= _MAX_SHARING
        }
        self._facts = {box: self._facts_of(box) for box in leaves[:_MAX_FACTS]}
        self._constant = constant_attrs((box.op, facts) for box, facts in self._facts.items())

    @property
    def is_compared(self) -> bool:
        """True if the model is one of two that are compared."""
        return self._shown_model.is_compared

    @property
    def has_too_many_nodes(self) -> bool:
        """True if the nodes are too many to be compared with the nodes of another model."""
        return len(self._picture.names) > _MAX_FACTS or bool(self._picture.left_out)

    def page(self) -> ModelPage:
        """Return the page."""
        model, picture = self._shown_model.model, self._picture
        rows = [self._row(box) for box in self._facts][:_MAX_ROWS]
        data = self._data()
        nodes = len(picture.names) + picture.left_out
        return ModelPage(
            id=self._prefix,
            file=one_line(model.file),
            name=one_line(os.path.basename(os.path.normpath(model.file)) or model.file),
            summary=self._summary(),
            takes=self._interface("inputs"),
            gives=self._interface("outputs"),
            has_arrows=data["arrows"],
            description="\n".join(map(one_line, list(model_text.model_lines(model))[1:])),
            audits=self._audits,
            rows=tuple(rows),
            has_graphs=len({row.graph for row in rows}) > 1,
            left_out=max(0, nodes - sum(len(box.members) for box in list(self._facts)[:_MAX_ROWS])),
            data=data,
            verdict="\n".join(map(one_line, self._shown_model.summary.splitlines())),
            nodes=tuple(self._nodes()) if self.is_compared and not self.has_too_many_nodes else (),
        )

    def _nodes(self) -> Iterator[PageNode]:
        """Yield all nodes in the order of their numbers."""
        picture = self._picture
        boxes = {number: self._numbers[box] for box in self._order for number in box.members}
        sketches = [sketch for graph_sketches in picture.sketches for sketch in graph_sketches]
        givers: dict[int, set[int]] = {}
        for giver, taker, _ in picture.node_wires:
            givers.setdefault(taker, set()).add(giver)
        for number, sketch in enumerate(sketches):
            graph, node = picture.node(number)
            yield PageNode(
                graph=graph.name,
                name=one_line(sketch.name),
                op=one_line(node.op),
                output=next(iter(sketch.gives), ""),
                content=content_of(node_facts(node, self._known[id(graph)], self._weights, self._format.value_name)),
                givers=frozenset(givers.get(number, ())),
                box=boxes[number],
            )

    def _data(self) -> dict[str, Any]:
        """Return the picture for the script."""
        picture = self._picture
        boxes = [self._box_data(box) for box in self._order]
        wires: list[list[Any]] = [
            [self._numbers[source], self._numbers[target], *self._tensor_label(target, picture.tensors[source, target])]
            + ([count] if count > 1 else [])
            for (source, target), count in picture.wires.items()
        ]
        tops = [picture.graphs[graph.name] for graph, _ in picture.drawn]
        self._add_ends(tops, boxes, wires)
        first, signature_text = start_graph(self._shown_model.model, picture)
        return {
            "id": self._prefix,
            "file": one_line(self._shown_model.model.file),
            "start": max(0, next((at for at, top in enumerate(tops) if top is first), 0)),
            "signature": one_line(signature_text),
            "arrows": bool(wires),
            "graphs": [
                {"label": labels.box_label(top), "box": self._numbers[top], "nodes": count, "whole": count < SMALL}
                for top, (_, count) in zip(tops, picture.drawn, strict=True)
            ],
            "boxes": boxes,
            "wires": wires,
            "findings": [
                {"id": row.id, "release": audit.release, "level": row.finding.level}
                | {"message": one_line(row.finding.message), "advice": one_line(row.finding.advice)}
                for audit in self._audits
                for row in audit.findings
            ],
            "prefix": self._prefix_of_ops(),
            "releases": list(dict.fromkeys(audit.release for audit in self._audits)),
            "site": self._site(),
        }

    def _prefix_of_ops(self) -> str:
        """Return the namespace that most ops of the model have, such as `pd_op.`, which their boxes leave out."""
        names = [box.op for box in self._order if box.op and box.members]
        spaces = Counter(match[0] if (match := _NAMESPACE.match(name)) else "" for name in names)
        prefix, count = spaces.most_common(1)[0] if spaces else ("", 0)
        return prefix if 2 * count > len(names) else ""

    def _site(self) -> dict[str, str | None]:
        """Return the address of the pages of ops, and the command that writes them."""
        frameworks = {audit.spec.provenance.framework for audit in self._shown_model.audits}
        framework = frameworks.pop() if len(frameworks) == 1 else self._shown_model.model.framework
        command = shlex.join(["opspec-lint", "site", "ops", "--ops", self._shown_model.model.file])
        return {
            "address": self._shown_model.site,
            "framework": framework,
            "command": one_line(command),
        }

    def _box_data(self, box: Box) -> dict[str, Any]:
        """Return a box for the script; what is empty is left out, for a page may have 100,000 boxes."""
        facts = self._facts.get(box, ())
        called = [self._picture.graphs[name] for name in box.calls if name in self._picture.graphs]
        data: dict[str, Any] = {
            "kind": "" if box.kind == "node" else box.kind,
            "label": labels.without_op(labels.box_label(box), one_line(box.op)),
            "op": one_line(box.op),
            "names": [one_line(self._picture.names[number]) for number in box.members],
            "inner": [self._numbers[child] for child in box.children],
            "times": box.times if box.times > 1 else 0,
            "calls": [self._graph_numbers[graph] for graph in called][:_MAX_LINKS],
            "marks": sorted(set(box.marks)),
        }
        if facts:
            data |= {
                "facts": [[fact.role, fact.name, fact.text] for fact in facts],
                "card": card_attrs(facts, self._constant) if len(box.members) == 1 else [],
                "weights": [
                    [fact.name, fact.brief, *([1] if fact.tensor in self._shared else [])]
                    for fact in facts
                    if fact.role == "weight"
                ][:_MAX_CARD],
            }
        return {key: value for key, value in data.items() if value}

    def _add_ends(self, tops: Sequence[Box], boxes: list[dict[str, Any]], wires: list[list[Any]]) -> None:
        """Add the inputs, outputs and weights of the graphs as boxes, with their wires."""
        leaves = {number: box for box in self._order for number in box.members}
        first = 0
        for at, ((graph, count), top) in enumerate(zip(self._picture.drawn, tops, strict=True)):
            known = self._known[id(graph)]
            for end in self._ends[at]:
                ends = [leaves[first + number] for number in end.nodes]
                if end.kind == "weight" and count >= SMALL:
                    continue
                place = top if end.kind != "weight" else ends[0].parent or top
                tensor = _look_up(known, end.tensor)
                label = short_type(tensor)
                boxes[self._numbers[place]].setdefault("inner", []).append(len(boxes))
                for box in dict.fromkeys(ends):
                    own, number = len(boxes), self._numbers[box]
                    source, target = (number, own) if end.kind == "output" else (own, number)
                    wires.append([source, target, label, one_line(end.tensor)])
                text = type_text(tensor) if tensor is not None else ""
                boxes.append(
                    {"kind": end.kind, **({"shared": 1} if end.kind == "weight" and end.tensor in self._shared else {})}
                    | {"label": labels.cut_middle(one_line(end.label)), "names": [one_line(end.label)]}
                    | {"facts": [["tensor", "", one_line(end.tensor)], ["type", "", text]] if text else []}
                )
            first += count

    def _signature_of(self, graph: Graph) -> Signature | None:
        """Return the inputs and outputs that a signature names for a graph, None for a function."""
        return None if graph.name else serving_signature(self._shown_model.model)

    def _tensor_label(self, target: Box, name: str) -> tuple[str, str]:
        """Return shape and name of a tensor that a box takes."""
        graph = self._graphs[target.members[0]]
        return short_type(_look_up(self._known[id(graph)], name))[:_MAX_LABEL], one_line(name)

    def _row(self, box: Box) -> PageRow:
        """Return the row of a box of one or several nodes."""
        graph = self._graphs[box.members[0]]
        return PageRow(
            id=f"{self._prefix}b{self._numbers[box]}",
            graph=one_line(graph.name),
            op=one_line(box.op),
            name=one_line(self._picture.names[box.members[0]]) if len(box.members) == 1 else labels.box_label(box),
            facts=self._facts[box],
            findings=tuple(f"{self._prefix}f{number}" for number in sorted(set(box.marks))),
        )

    def _summary(self) -> str:
        """Return the format and the size of the model in one line."""
        format_ = self._format.summary.partition(" (")[0]
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

    def _facts_of(self, box: Box) -> tuple[NodeFact, ...]:
        """Return the details of the node or nodes that a box represents."""
        if len(box.members) == 1:
            graph, node = self._picture.node(box.members[0])
            return node_facts(node, self._known[id(graph)], self._weights, self._format.value_name)
        members = ((number, *self._picture.node(number)) for number in box.members[:_MAX_NAMES])
        return group_facts(
            (self._node_label(box, number), node, self._known[id(graph)]) for number, graph, node in members
        )

    def _node_label(self, box: Box, number: int) -> str:
        """Return the name of the node at an index, without the op of the box, which the label of the box shows."""
        return labels.without_op(one_line(self._picture.names[number]), one_line(box.op))

    def _page_audits(self, anchors: set[str]) -> Iterator[PageAudit]:
        """Yield the audits of the model. Findings are numbered through all audits, as in `finding_marks`."""

        def anchor(fingerprint: str) -> str:
            is_new = fingerprint not in anchors
            anchors.add(fingerprint)
            return fingerprint if is_new else ""

        boxes: dict[int, list[Box]] = {}
        for box in self._order:
            for number in dict.fromkeys(box.marks):
                boxes.setdefault(number, []).append(box)
        first = 0
        for audit in self._shown_model.audits:
            yield PageAudit(
                title=one_line(f"{verdict_sentence(audit)}: {plural(len(audit.findings), 'finding')}"),
                release=one_line(release_name(audit)),
                verdict=audit.verdict,
                findings=tuple(
                    PageFinding(
                        id=f"{self._prefix}f{number}",
                        anchor=anchor(finding.fingerprint),
                        finding=finding,
                        boxes=tuple(
                            (f"{self._prefix}b{self._numbers[box]}", labels.box_label(box))
                            for box in boxes.get(number, [])[:_MAX_LINKS]
                        ),
                    )
                    for number, finding in enumerate(audit.findings, first)
                ),
            )
            first += len(audit.findings)


def _look_up(known: Mapping[str, Tensor], name: str) -> Tensor | None:
    """Return the tensor of a name; TensorFlow names the first output of a node `node` or `node:0`."""
    return known.get(name) or (known.get(name[:-2]) if name.endswith(":0") else None)


def _breadth_first(whole: Box) -> Iterator[Box]:
    """Yield all boxes, outer ones before inner ones, so that outer boxes have the smaller numbers."""
    level = [whole]
    while level:
        yield from level
        level = [child for box in level for child in box.children]

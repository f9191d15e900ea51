"""What the page shows of a model: its boxes with their drawings, its findings, and what the script searches."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, plural
from opspec_lint.models import telling
from opspec_lint.models.audit import sentence
from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.models.picture import words
from opspec_lint.models.picture.box import counts, marked
from opspec_lint.models.picture.build import picture
from opspec_lint.models.picture.facts import facts, given, named, of_several, tensors_of, typed
from opspec_lint.models.picture.layout import layout
from opspec_lint.models.picture.pictures import marks
from opspec_lint.models.picture.start import serving, start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.build import Picture
    from opspec_lint.models.picture.facts import NodeFact
    from opspec_lint.models.picture.layout import Layout
    from opspec_lint.models.view import Seen
    from opspec_lint.report.findings import Finding

_MOST_BOXES = 20_000
"""Boxes of a page; what is in others is counted."""
_MOST_NAMES = 20
"""Names of nodes that are written at a box; the search knows all."""
_MOST_LINKS = 12
_MOST_FACTS = 5_000
"""Boxes of nodes of a page whose tensors and attrs are written."""


class Shown(Record):
    """A box on the page.

    `lines` are what stands on it, `size` how many nodes it stands for, `names` the first of them where it is closed for
    good. `takes` are the boxes beside it that give it something, `calls` the graphs that it calls, `findings` the ids
    of findings about nodes in it. `facts` is what is known of a single node. `drawing` is what it looks like inside,
    `inner` the boxes in it, and `left_out` how many nodes are in boxes that the page has no room for.
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
    drawing: Layout | None = None
    ids: Mapping[Box, str] = {}
    inner: tuple[Shown, ...] = ()
    left_out: int = 0


class ShownFinding(Record):
    """A finding on the page, with the boxes of the nodes that it is about."""

    id: str
    finding: Finding
    boxes: tuple[tuple[str, str], ...]


class Audited(Record):
    """An audit on the page: what became of the model, and why."""

    words: str
    verdict: str
    findings: tuple[ShownFinding, ...]


class ModelPage(Record):
    """What the page shows of a model: the graph to begin with is the first of `graphs`.

    `start` says which it is. `takes` and `gives` are the tensors of the signature that it is served by. `has_arrows` is
    whether its format says which node gives tensors to which. `data` is what the script searches: id, label, op and
    names of each box.
    """

    id: str
    file: str
    summary: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    has_arrows: bool
    told: str
    audits: tuple[Audited, ...]
    graphs: tuple[Shown, ...]
    start: str
    drawing: Layout | None
    drawn: tuple[Shown, ...]
    ids: Mapping[Box, str]
    left_out: int
    data: tuple[tuple[Any, ...], ...]


def pages_of(models: Iterable[Seen]) -> Iterator[ModelPage]:
    """Yield what the page shows of each model."""
    for at, seen in enumerate(models):
        yield _PageBuilder(seen, picture(seen.model, marks(seen)), f"m{at}").page()


class _PageBuilder:
    def __init__(self, seen: Seen, found: Picture, prefix: str) -> None:
        self._seen = seen
        self._picture = found
        self._prefix = prefix
        self._sizes = counts(found.whole)
        self._marks = marked(found.whole)
        self._ids = {box: f"{prefix}b{at}" for at, box in enumerate(_first(found.whole, _MOST_BOXES))}
        self._takes: dict[Box, list[tuple[str, str]]] = {}
        self._known = tensors_of(seen.model)
        self._with_facts = {box for at, box in enumerate(_nodes(self._ids)) if at < _MOST_FACTS}

    def page(self) -> ModelPage:
        whole = self._picture.whole
        shown = self._shown(whole)
        lines = list(telling.lines(self._seen.model))
        first, words_of_it = start(self._seen.model, self._picture)
        graphs = sorted(shown.inner, key=lambda each: each.id != self._ids.get(first))
        return ModelPage(
            id=self._prefix,
            file=one_line(self._seen.model.file),
            summary=self._summary(),
            takes=self._interface("inputs"),
            gives=self._interface("outputs"),
            has_arrows=bool(self._picture.wires),
            told="\n".join(map(one_line, lines[1:])),
            audits=tuple(self._audits()),
            graphs=tuple(graphs),
            start=one_line(words_of_it),
            drawing=shown.drawing,
            drawn=shown.inner,
            ids=self._ids,
            left_out=self._picture.left_out + shown.left_out,
            data=tuple(self._data()),
        )

    def _summary(self) -> str:
        format_ = MODEL_FORMATS.load(self._seen.model.format).summary.partition(" (")[0]
        graphs = [graph for meta in self._seen.model.meta_graphs for graph in meta.graphs]
        ops = {op for graph in graphs for op in graph.distinct_ops()}
        nodes = sum(len(graph.nodes) for graph in graphs)
        return f"{format_}, {plural(nodes, 'node')}, {plural(len(ops), 'different op')}"

    def _interface(self, side: str) -> tuple[str, ...]:
        signature = serving(self._seen.model)
        tensors = {} if signature is None else getattr(signature, side)
        found = list(tensors.items())[:_MOST_NAMES]
        return tuple(one_line(named(key, each.replace(name=key)) if key else typed(each)) for key, each in found)

    def _shown(self, box: Box) -> Shown:
        inner = [child for child in box.children if child in self._ids]
        for source, target in box.arrows:
            if source is not target and source in self._ids:
                self._takes.setdefault(target, []).append((self._ids[source], words.name(source)))
        numbers = self._marks.get(box, [])
        shown = tuple(map(self._shown, inner))
        drawn = {each: tuple(map(words.short, one.lines[:2])) for each, one in zip(inner, shown, strict=True)}
        arrows = {**box.arrows, **self._calls_between(box)}
        return Shown(
            id=self._ids[box],
            kind=box.kind,
            label=words.name(box),
            lines=tuple(self._lines_of(box)),
            size=self._sizes[box],
            names=tuple(self._called(box, each) for each in box.members[:_MOST_NAMES]),
            takes=tuple(self._takes.get(box, ())[:_MOST_LINKS]),
            calls=tuple(self._calls(box)),
            findings=tuple(f"{self._prefix}f{each}" for each in numbers[:_MOST_LINKS]),
            facts=self._facts_of(box) if box in self._with_facts else (),
            drawing=layout(inner, arrows, drawn) if arrows and len(inner) > 1 else None,
            ids=self._ids,
            inner=shown,
            left_out=sum(self._sizes[child] for child in box.children if child not in self._ids),
        )

    def _facts_of(self, box: Box) -> tuple[NodeFact, ...]:
        if len(box.members) == 1:
            graph, node = self._picture.node(box.members[0])
            return facts(node, self._known[id(graph)])
        members = ((each, *self._picture.node(each)) for each in box.members[:_MOST_NAMES])
        return of_several((self._called(box, each), node, self._known[id(graph)]) for each, graph, node in members)

    def _called(self, box: Box, number: int) -> str:
        return words.own_name(one_line(self._picture.names[number]), one_line(box.op))

    def _lines_of(self, box: Box) -> list[str]:
        """Return the lines on a box; a node without a name of its own also says what it gives."""
        lines = words.lines(box, self._sizes[box], len(self._marks.get(box, ())))
        if box in self._with_facts and box.kind == "node" and len(lines) > 1 and lines[1].startswith("#"):
            graph, node = self._picture.node(box.members[0])
            lines[1] = f"{lines[1]} {given(node, self._known[id(graph)])}".rstrip()
        return lines

    def _calls_between(self, box: Box) -> dict[tuple[Box, Box], int]:
        """Return which graphs call which, for the box of all of them."""
        if box.kind != "whole":
            return {}
        found: dict[tuple[Box, Box], int] = {}
        for graph in box.children:
            for caller in graph.below():
                for name in caller.calls:
                    called = self._picture.graphs.get(name, box)
                    while called.parent is not None and called.parent is not box:
                        called = called.parent
                    if called is not box:
                        found[graph, called] = found.get((graph, called), 0) + 1
        return found

    def _calls(self, box: Box) -> Iterator[tuple[str, str]]:
        for name in list(box.calls)[:_MOST_LINKS]:
            graph = self._picture.graphs.get(name)
            if graph in self._ids:
                yield self._ids[graph], one_line(name)

    def _audits(self) -> Iterator[Audited]:
        boxes: dict[int, list[Box]] = {}
        for box in self._ids:
            for number in dict.fromkeys(box.marks):
                boxes.setdefault(number, []).append(box)
        first = 0
        for audit in self._seen.audits:
            yield Audited(
                words=one_line(f"{sentence(audit)}: {plural(len(audit.findings), 'finding')}"),
                verdict=audit.verdict,
                findings=tuple(
                    ShownFinding(
                        id=f"{self._prefix}f{number}",
                        finding=finding,
                        boxes=tuple((self._ids[box], words.name(box)) for box in boxes.get(number, [])[:_MOST_LINKS]),
                    )
                    for number, finding in enumerate(audit.findings, first)
                ),
            )
            first += len(audit.findings)

    def _data(self) -> Iterator[tuple[object, ...]]:
        for box, name in self._ids.items():
            if box.kind != "whole":
                names = [one_line(self._picture.names[each]) for each in box.members]
                yield name, words.name(box), one_line(box.op), *names


def _nodes(boxes: Iterable[Box]) -> Iterator[Box]:
    """Yield the boxes that are nodes, and have nothing in them."""
    return (box for box in boxes if box.members and not box.children)


def _first(whole: Box, most: int) -> Iterator[Box]:
    """Yield so many boxes, the outer ones before those in them."""
    level = [whole]
    while level and most > 0:
        yield from level[:most]
        most -= len(level)
        level = [child for box in level for child in box.children]

"""The picture for Graphviz: `opspec-lint show --format dot MODEL | dot -Tsvg > model.svg`."""

from __future__ import annotations

from opspec_lint.models.picture.pictures import pictures
from opspec_lint.models.picture.unfold import unfold
from opspec_lint.models.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.unfold import Unfolded
    from opspec_lint.models.view import Seen

_MOST = 120
"""Boxes that are seen of a model."""
_HEAD = """\
digraph {
  graph [fontname="sans-serif", fontsize=12, rankdir=TB, compound=true, style=rounded, color="#8a94a0"];
  node [fontname="sans-serif", fontsize=11, shape=box, style="rounded,filled", fillcolor="#f5f6f8", color="#8a94a0"];
  edge [fontname="sans-serif", fontsize=9, color="#59636f"];"""
_MARKED = ', color="#c62f35", penwidth=2'


def render(models: Iterable[Seen]) -> str:
    """Return the pictures of models as one graph, a cluster each."""
    drawings = (_Drawing(unfold(each, _MOST), at) for at, each in enumerate(pictures(models)))
    return "\n".join([_HEAD, *(line for each in drawings for line in each.lines()), "}", ""])


class _Drawing:
    def __init__(self, found: Unfolded, number: int) -> None:
        self._found = found
        self._ids = {box: f"{number}_{at}" for at, box in enumerate(found.whole.below())}

    def lines(self) -> Iterator[str]:
        yield from self._box(self._found.whole, "  ")
        for (source, target), count in self._found.arrows.items():
            label = f' [label="{count}"]' if count > 1 else ""
            yield f"  {self._node(source)} -> {self._node(target)}{label};"
        for source, target in self._found.calls:
            ends = self._ends(source, target)
            yield f'  {self._node(source)} -> {self._node(target)} [style=dashed, label="calls"{ends}];'

    def _node(self, box: Box) -> str:
        """Return the node that an arrow leads to: of an open box, one in it."""
        while box in self._found.opened and box.children:
            box = box.children[0]
        return f"b{self._ids[box]}"

    def _ends(self, source: Box, target: Box) -> str:
        found = self._found.opened
        tail = f", ltail=cluster_{self._ids[source]}" if source in found else ""
        head = f", lhead=cluster_{self._ids[target]}" if target in found else ""
        return tail + head

    def _box(self, box: Box, indent: str) -> Iterator[str]:
        found, number = self._found, self._ids[box]
        marks = _MARKED if box in found.marks else ""
        text = "\\n".join(map(_escaped, found.lines(box)))
        if box not in found.opened or not box.children:
            yield f'{indent}b{number} [label="{text}"{marks}];'
            return
        yield f"{indent}subgraph cluster_{number} {{"
        yield f'{indent}  graph [label="{text}"{marks}];'
        for child in box.children:
            yield from self._box(child, indent + "  ")
        yield f"{indent}}}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


VIEW = View(render=render, marks=True)

"""The view for Graphviz: `opspec-lint show --format dot MODEL | dot -Tsvg > model.svg`."""

from __future__ import annotations

from opspec_lint.models.picture.pictures import build_pictures
from opspec_lint.models.picture.unfold import unfold
from opspec_lint.models.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.unfold import Unfolded
    from opspec_lint.models.view import ShownModel

_MAX_BOXES = 120
"""Visible boxes per model."""
_HEAD = """\
digraph {
  graph [fontname="sans-serif", fontsize=12, rankdir=TB, compound=true, style=rounded, color="#8a94a0"];
  node [fontname="sans-serif", fontsize=11, shape=box, style="rounded,filled", fillcolor="#f5f6f8", color="#8a94a0"];
  edge [fontname="sans-serif", fontsize=9, color="#59636f"];"""
_MARKED = ', color="#c62f35", penwidth=2'


def render(models: Iterable[ShownModel]) -> str:
    """Return the pictures of models as one DOT graph, with a cluster per model."""
    drawings = (_Drawing(unfold(picture, _MAX_BOXES), at) for at, picture in enumerate(build_pictures(models)))
    return "\n".join([_HEAD, *(line for drawing in drawings for line in drawing.lines()), "}", ""])


class _Drawing:
    """The DOT statements of one model; `number` makes its node names unique."""

    def __init__(self, unfolded: Unfolded, number: int) -> None:
        self._unfolded = unfolded
        self._ids = {box: f"{number}_{at}" for at, box in enumerate(unfolded.whole.walk())}

    def lines(self) -> Iterator[str]:
        """Yield the statements: boxes, arrows, calls."""
        yield from self._box(self._unfolded.whole, "  ")
        for (source, target), count in self._unfolded.arrows.items():
            label = f' [label="{count}"]' if count > 1 else ""
            yield f"  {self._node(source)} -> {self._node(target)}{label};"
        for source, target in self._unfolded.calls:
            ends = self._ends(source, target)
            yield f'  {self._node(source)} -> {self._node(target)} [style=dashed, label="calls"{ends}];'

    def _node(self, box: Box) -> str:
        """Return the DOT node at the end of an arrow: for an open box, the first node inside."""
        # DOT has no arrows between clusters. An arrow joins nodes inside of them, and is clipped by `ltail` and
        # `lhead`.
        while box in self._unfolded.opened and box.children:
            box = box.children[0]
        return f"b{self._ids[box]}"

    def _ends(self, source: Box, target: Box) -> str:
        """Return the attributes that clip an arrow at the border of open boxes."""
        opened = self._unfolded.opened
        tail = f", ltail=cluster_{self._ids[source]}" if source in opened else ""
        head = f", lhead=cluster_{self._ids[target]}" if target in opened else ""
        return tail + head

    def _box(self, box: Box, indent: str) -> Iterator[str]:
        """Yield the statements of a box and the boxes in it."""
        unfolded, number = self._unfolded, self._ids[box]
        marks = _MARKED if box in unfolded.marks else ""
        text = "\\n".join(map(_escape, unfolded.lines(box)))
        if box not in unfolded.opened or not box.children:
            yield f'{indent}b{number} [label="{text}"{marks}];'
            return
        yield f"{indent}subgraph cluster_{number} {{"
        yield f'{indent}  graph [label="{text}"{marks}];'
        for child in box.children:
            yield from self._box(child, indent + "  ")
        yield f"{indent}}}"


def _escape(text: str) -> str:
    """Escape a text for a quoted DOT string."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


VIEW = View(render=render, marks=True)

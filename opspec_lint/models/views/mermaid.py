"""The view for Mermaid, which code hosts draw from a fenced block in a comment."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import plural
from opspec_lint.models.picture.pictures import build_pictures
from opspec_lint.models.picture.unfold import unfold
from opspec_lint.models.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.build import ModelPicture
    from opspec_lint.models.picture.unfold import Unfolded
    from opspec_lint.models.view import ShownModel

_BOXES = (80, 50, 30, 15, 5, 1)
"""Limits on visible boxes per model; the first one that keeps the text short enough applies."""
_LONGEST = 49_000
"""Mermaid draws no text of more than 50,000 characters."""
_MOST_ARROWS = 400
"""Mermaid draws at most 500 arrows; the arrows with the fewest tensors are left out."""
_MARKED = "  classDef marked stroke:#c62f35,stroke-width:3px"
_PLAIN = pattern(r"[^A-Za-z0-9 _./:,()+-]")


def render(models: Iterable[ShownModel]) -> str:
    """Return the pictures of models as one flowchart, a subgraph per model. Raises UsageError if it is too large."""
    pictures = list(build_pictures(models))
    for most in _BOXES:
        text = _text(pictures, most)
        if len(text) <= _LONGEST:
            return text
    raise UsageError(
        f"the pictures of {plural(len(pictures), 'model')} are too large for Mermaid",
        advice="show fewer models at once, or use --format html or dot",
    )


def _text(pictures: Sequence[ModelPicture], most: int) -> str:
    """Return the flowchart with at most `most` visible boxes per model."""
    arrows = _MOST_ARROWS // max(1, len(pictures))
    drawings = [_Drawing(unfold(picture, most), at, arrows) for at, picture in enumerate(pictures)]
    lines = [line for drawing in drawings for line in drawing.lines()]
    marks = [number for drawing in drawings for number in drawing.marked()]
    if marks:
        lines += [_MARKED, f"  class {','.join(marks)} marked"]
    return "\n".join(["flowchart TB", *lines, ""])


class _Drawing:
    """The Mermaid statements of one model, with at most `most` arrows."""

    def __init__(self, unfolded: Unfolded, number: int, most: int) -> None:
        self._unfolded = unfolded
        self._ids = {box: f"b{number}_{at}" for at, box in enumerate(unfolded.whole.walk())}
        self._calls = list(unfolded.calls)[:most]
        by_count = sorted(unfolded.arrows.items(), key=lambda item: -item[1])
        self._arrows = by_count[: most - len(self._calls)]
        self._left_out = len(unfolded.arrows) + len(unfolded.calls) - len(self._arrows) - len(self._calls)

    def lines(self) -> Iterator[str]:
        """Yield the statements: boxes, arrows, calls."""
        yield from self._box(self._unfolded.whole, "  ")
        for (source, target), count in self._arrows:
            label = f"|{count}|" if count > 1 else ""
            yield f"  {self._ids[source]} -->{label} {self._ids[target]}"
        for source, target in self._calls:
            yield f"  {self._ids[source]} -. calls .-> {self._ids[target]}"

    def marked(self) -> Iterator[str]:
        """Yield the ids of visible closed boxes with findings."""
        unfolded = self._unfolded
        for box in self._visible_boxes(unfolded.whole):
            if box in unfolded.marks and not self._is_open(box):
                yield self._ids[box]

    def _is_open(self, box: Box) -> bool:
        """Return True if a box is drawn open, with the boxes in it."""
        return box in self._unfolded.opened and bool(box.children)

    def _visible_boxes(self, box: Box) -> Iterator[Box]:
        """Yield the visible boxes of a box, itself first."""
        yield box
        for child in box.children if self._is_open(box) else ():
            yield from self._visible_boxes(child)

    def _box(self, box: Box, indent: str) -> Iterator[str]:
        """Yield the statements of a box and the boxes in it."""
        unfolded = self._unfolded
        texts = unfolded.lines(box)
        if box is unfolded.whole and self._left_out:
            texts.append(f"{plural(self._left_out, 'arrow')} not drawn")
        if not self._is_open(box):
            yield f'{indent}{self._ids[box]}["{"<br>".join(map(_escape, texts))}"]'
            return
        yield f'{indent}subgraph {self._ids[box]}["{_escape(", ".join(texts))}"]'
        for child in box.children:
            yield from self._box(child, indent + "  ")
        yield f"{indent}end"


def _escape(text: str) -> str:
    """Replace every character that could be markup by its character code."""
    return _PLAIN.sub(lambda match: f"#{ord(match[0])};", text)


VIEW = View(render=render, marks=True)

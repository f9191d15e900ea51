"""The picture for Mermaid, which code hosts draw where a comment has it between fences."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import plural
from opspec_lint.models.picture.pictures import pictures
from opspec_lint.models.picture.unfold import unfold
from opspec_lint.models.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.build import Picture
    from opspec_lint.models.picture.unfold import Unfolded
    from opspec_lint.models.view import Seen

_BOXES = (80, 50, 30, 15, 5, 1)
"""Boxes that are seen of a model: the first number with which the text is not too long."""
_LONGEST = 49_000
"""Mermaid draws no text of more than 50,000 characters."""
_MOST_ARROWS = 400
"""It draws no more than 500 arrows; those that carry the fewest tensors are left out."""
_MARKED = "  classDef marked stroke:#c62f35,stroke-width:3px"
_PLAIN = pattern(r"[^A-Za-z0-9 _./:,()+-]")


def render(models: Iterable[Seen]) -> str:
    """Return the pictures of models as one flowchart, a subgraph each.

    Raises:
        UsageError: there are too many of them.
    """
    found = list(pictures(models))
    for most in _BOXES:
        text = _text(found, most)
        if len(text) <= _LONGEST:
            return text
    raise UsageError(
        f"the pictures of {plural(len(found), 'model')} are too large for Mermaid",
        advice="show fewer models at once, or use --format html or dot",
    )


def _text(found: Sequence[Picture], most: int) -> str:
    arrows = _MOST_ARROWS // max(1, len(found))
    drawings = [_Drawing(unfold(each, most), at, arrows) for at, each in enumerate(found)]
    lines = [line for each in drawings for line in each.lines()]
    marks = [number for each in drawings for number in each.marked()]
    if marks:
        lines += [_MARKED, f"  class {','.join(marks)} marked"]
    return "\n".join(["flowchart TB", *lines, ""])


class _Drawing:
    def __init__(self, found: Unfolded, number: int, most: int) -> None:
        self._found = found
        self._ids = {box: f"b{number}_{at}" for at, box in enumerate(found.whole.below())}
        self._calls = list(found.calls)[:most]
        by_count = sorted(found.arrows.items(), key=lambda each: -each[1])
        self._arrows = by_count[: most - len(self._calls)]
        self._left_out = len(found.arrows) + len(found.calls) - len(self._arrows) - len(self._calls)

    def lines(self) -> Iterator[str]:
        yield from self._box(self._found.whole, "  ")
        for (source, target), count in self._arrows:
            label = f"|{count}|" if count > 1 else ""
            yield f"  {self._ids[source]} -->{label} {self._ids[target]}"
        for source, target in self._calls:
            yield f"  {self._ids[source]} -. calls .-> {self._ids[target]}"

    def marked(self) -> Iterator[str]:
        """Yield the boxes with findings that are seen and closed."""
        found = self._found
        for box in self._seen(found.whole):
            if box in found.marks and not self._is_open(box):
                yield self._ids[box]

    def _is_open(self, box: Box) -> bool:
        return box in self._found.opened and bool(box.children)

    def _seen(self, box: Box) -> Iterator[Box]:
        yield box
        for child in box.children if self._is_open(box) else ():
            yield from self._seen(child)

    def _box(self, box: Box, indent: str) -> Iterator[str]:
        found = self._found
        told = found.lines(box)
        if box is found.whole and self._left_out:
            told.append(f"{plural(self._left_out, 'arrow')} not drawn")
        if not self._is_open(box):
            yield f'{indent}{self._ids[box]}["{"<br>".join(map(_escaped, told))}"]'
            return
        yield f'{indent}subgraph {self._ids[box]}["{_escaped(", ".join(told))}"]'
        for child in box.children:
            yield from self._box(child, indent + "  ")
        yield f"{indent}end"


def _escaped(text: str) -> str:
    """Return a text with everything that could be markup as the code of its character."""
    return _PLAIN.sub(lambda found: f"#{ord(found[0])};", text)


VIEW = View(render=render, marks=True)

"""Where the boxes in a box stand: in rows, so that arrows lead down as far as there are no circles."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opspec_lint.models.picture.box import Box

WIDTH, HEIGHT = 180, 46
"""Pixels of a box."""
_BESIDE, _BELOW, _EDGE = 14, 38, 6
_IN_A_ROW = 5
_SWEEPS = 3


class Placed(Record):
    """A box with the place of its upper left corner."""

    box: Box
    x: int
    y: int


class Line(Record):
    """An arrow as the path of an SVG, with how many tensors go along it."""

    path: str
    count: int
    is_back: bool = False


class Layout(Record):
    """The drawing of what is in a box, in pixels."""

    width: int
    height: int
    boxes: tuple[Placed, ...]
    lines: tuple[Line, ...]


def layout(boxes: Sequence[Box], arrows: Mapping[tuple[Box, Box], int]) -> Layout:
    """Return the drawing of boxes and of the arrows between them."""
    before: dict[Box, list[Box]] = {box: [] for box in boxes}
    after: dict[Box, list[Box]] = {box: [] for box in boxes}
    for source, target in arrows:
        if source is not target and source in before and target in before:
            after[source].append(target)
            before[target].append(source)
    rows = [part for row in _ordered(_ranked(boxes, after), before) for part in _cut(row)]
    widest = max((len(row) for row in rows), default=1)
    width = 2 * _EDGE + widest * (WIDTH + _BESIDE) - _BESIDE
    at = {}
    for number, row in enumerate(rows):
        first = (width - len(row) * (WIDTH + _BESIDE) + _BESIDE) // 2
        for place, box in enumerate(row):
            at[box] = Placed(box=box, x=first + place * (WIDTH + _BESIDE), y=_EDGE + number * (HEIGHT + _BELOW))
    return Layout(
        width=width,
        height=2 * _EDGE + len(rows) * (HEIGHT + _BELOW) - _BELOW,
        boxes=tuple(at[box] for box in boxes),
        lines=tuple(
            _line(at[source], at[target], count)
            for (source, target), count in arrows.items()
            if source is not target and source in at and target in at
        ),
    )


def _ranked(boxes: Sequence[Box], after: Mapping[Box, Sequence[Box]]) -> list[list[Box]]:
    """Return boxes by how far they are from the first ones; an arrow that closes a circle is passed over."""
    order = _from_last(boxes, after)
    number = {box: at for at, box in enumerate(order)}
    rank = dict.fromkeys(boxes, 0)
    for box in reversed(order):
        for target in after[box]:
            if number[target] < number[box]:
                rank[target] = max(rank[target], rank[box] + 1)
    rows: list[list[Box]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
    for box in boxes:
        rows[rank[box]].append(box)
    return [row for row in rows if row]


def _from_last(boxes: Iterable[Box], after: Mapping[Box, Sequence[Box]]) -> list[Box]:
    """Return boxes so that each stands behind those that its arrows lead to, circles apart."""
    done: dict[Box, None] = {}
    begun: set[Box] = set()
    for first in boxes:
        waiting = [(first, False)]
        while waiting:
            box, is_left = waiting.pop()
            if is_left:
                done[box] = None
            elif box not in begun:
                begun.add(box)
                waiting.append((box, True))
                waiting.extend((each, False) for each in after[box])
    return list(done)


def _ordered(rows: list[list[Box]], before: Mapping[Box, Sequence[Box]]) -> list[list[Box]]:
    """Return rows with each box near the middle of those that lead to it."""
    for _ in range(_SWEEPS):
        place: dict[Box, float] = {}
        for row in rows:
            wanted = {}
            for at, box in enumerate(row):
                known = [place[each] for each in before[box] if each in place]
                wanted[box] = sum(known) / len(known) if known else at / len(row)
            row.sort(key=wanted.__getitem__)
            place |= {box: (at + 0.5) / len(row) for at, box in enumerate(row)}
    return rows


def _cut(row: Sequence[Box]) -> list[Sequence[Box]]:
    """Return a row in as many of nearly equal length as it needs."""
    parts = -(-len(row) // _IN_A_ROW)
    size = -(-len(row) // parts)
    return [row[at : at + size] for at in range(0, len(row), size)]


def _line(source: Placed, target: Placed, count: int) -> Line:
    is_back = target.y <= source.y
    x, y = source.x + WIDTH // 2, source.y + (0 if is_back else HEIGHT)
    to_x, to_y = target.x + WIDTH // 2, target.y + (HEIGHT if is_back and target.y < source.y else 0)
    bend = max(18, abs(to_y - y) // 2) * (-1 if is_back else 1)
    arrive = to_y + bend if is_back and target.y == source.y else to_y - bend
    return Line(path=f"M{x} {y}C{x} {y + bend} {to_x} {arrive} {to_x} {to_y}", count=count, is_back=is_back)

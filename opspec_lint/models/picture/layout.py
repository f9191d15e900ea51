"""The layered drawing of the boxes in a box (Sugiyama, Tagawa and Toda 1981): positions of boxes and paths of arrows.

Steps: assign each box to a row; give a long arrow a place in every row that it passes; sort the places of a row by the
mean position of their neighbours; move them near these; draw the arrows as curves.
"""

from __future__ import annotations

from itertools import pairwise

from opspec_lint.kit.record import Record
from opspec_lint.models.picture.labels import column_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from opspec_lint.models.picture.box import Box

    Place: TypeAlias = Box | tuple[Box, int]
    """An item of a row: a box, or the bundle of the arrows of a box that pass the row with a number."""

HEIGHT = 46
"""The height of a box in pixels."""
_CHARACTER, _PADDING, _NARROWEST = 7.3, 20, 76
"""Pixels: the width of a character in a monospaced font (an upper bound), of the padding, and of the narrowest box."""
_GAP, _ROW_GAP, _EDGE, _PASS = 16, 32, 6, 10
_IN_A_ROW = 6
_SWEEPS = 6


class PlacedBox(Record):
    """A box with the position of its upper left corner and its width, in pixels."""

    box: Box
    x: int
    y: int
    width: int


class ArrowPath(Record):
    """An arrow as an SVG path, with its number of tensors; with `is_back`, the head is at the beginning of the path."""

    path: str
    count: int
    is_back: bool = False


class BoxLayout(Record):
    """The drawing of the content of a box, in pixels."""

    width: int
    height: int
    boxes: tuple[PlacedBox, ...]
    lines: tuple[ArrowPath, ...]


def layout(
    boxes: Sequence[Box], arrows: Mapping[tuple[Box, Box], int], lines: Mapping[Box, Sequence[str]]
) -> BoxLayout:
    """Return the drawing of boxes and of the arrows between them.

    `arrows` holds the number of tensors per pair (source, target), `lines` the lines of text on each box.
    """
    known = set(boxes)
    drawn = {ends: count for ends, count in arrows.items() if ends[0] is not ends[1] and known.issuperset(ends)}
    rows: list[list[Place]] = [list(row) for row in _rows(boxes, drawn)]
    at = {place: number for number, row in enumerate(rows) for place in row}
    routes = {ends: _route(*ends, at, rows) for ends in drawn}
    neighbours = _neighbours(routes.values())
    _sort_rows(rows, neighbours)
    widths = {box: _width(lines[box]) for box in boxes}
    middles = _place_middles(rows, neighbours, widths)
    left = min((middles[box] - widths[box] / 2 for box in boxes), default=0)
    left = min([left, *(middles[place] for place in middles if isinstance(place, tuple))])
    x = {place: round(middle - left) + _EDGE for place, middle in middles.items()}
    y = [_EDGE + number * (HEIGHT + _ROW_GAP) for number in range(len(rows))]
    placed = [PlacedBox(box=box, x=x[box] - widths[box] // 2, y=y[at[box]], width=widths[box]) for box in boxes]
    right = max([box.x + box.width for box in placed] + [*x.values()], default=0)
    return BoxLayout(
        width=right + _EDGE,
        height=2 * _EDGE + len(rows) * (HEIGHT + _ROW_GAP) - _ROW_GAP,
        boxes=tuple(placed),
        lines=tuple(
            ArrowPath(path=_path(routes[ends], x, y, at), count=count, is_back=at[ends[0]] > at[ends[1]])
            for ends, count in drawn.items()
        ),
    )


def _width(lines: Iterable[str]) -> int:
    """Return the width of a box with some lines of text."""
    text = max((column_count(line) for line in lines), default=0)
    # Even, so that half of it is a whole number of pixels.
    return max(_NARROWEST, 2 * round((text * _CHARACTER + _PADDING) / 2))


def _rows(boxes: Sequence[Box], arrows: Iterable[tuple[Box, Box]]) -> list[list[Box]]:
    """Return boxes in rows: each below all its sources, and one without sources right above its nearest target."""
    after: dict[Box, list[Box]] = {box: [] for box in boxes}
    has_before = set()
    for source, target in arrows:
        after[source].append(target)
        has_before.add(target)
    order = _reverse_topological(boxes, after)
    number = {box: at for at, box in enumerate(order)}
    rank = dict.fromkeys(boxes, 0)
    # A target that comes later in `order` closes a circle: this arrow points upwards, and sets no rank.
    for box in reversed(order):
        for target in after[box]:
            if number[target] < number[box]:
                rank[target] = max(rank[target], rank[box] + 1)
    for box in order:
        if box not in has_before and after[box]:
            rank[box] = max(0, min(rank[target] for target in after[box]) - 1)
    rows: list[list[Box]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
    for box in boxes:
        rows[rank[box]].append(box)
    return [part for row in rows if row for part in _split_row(row)]


def _reverse_topological(boxes: Iterable[Box], after: Mapping[Box, Sequence[Box]]) -> list[Box]:
    """Return boxes in an order in which each comes after its targets, except in circles: a depth-first post-order."""
    done: dict[Box, None] = {}
    begun: set[Box] = set()
    for first in boxes:
        # A stack instead of recursion: a chain of boxes may be longer than Python's recursion limit.
        waiting = [(first, False)]
        while waiting:
            box, is_left = waiting.pop()
            if is_left:
                done[box] = None
            elif box not in begun:
                begun.add(box)
                waiting.append((box, True))
                waiting.extend((target, False) for target in after[box])
    return list(done)


def _split_row(row: list[Box]) -> list[list[Box]]:
    """Split a row into as few rows as its length needs, of nearly equal length."""
    parts = -(-len(row) // _IN_A_ROW)
    size = -(-len(row) // parts)
    return [row[at : at + size] for at in range(0, len(row), size)]


def _route(source: Box, target: Box, at: dict[Place, int], rows: list[list[Place]]) -> list[Place]:
    """Return the places that an arrow passes, from its upper end to its lower end.

    The arrows from one box share their places, which keeps the number of places in a row small.
    """
    upper, lower = (source, target) if at[source] <= at[target] else (target, source)
    route: list[Place] = [upper]
    for number in range(at[upper] + 1, at[lower]):
        place = (upper, number)
        if place not in at:
            at[place] = number
            rows[number].append(place)
        route.append(place)
    return [*route, lower]


def _neighbours(routes: Iterable[Sequence[Place]]) -> dict[Place, tuple[set[Place], set[Place]]]:
    """Return, for each place, the places that arrows connect it to in the row above and in the row below."""
    neighbours: dict[Place, tuple[set[Place], set[Place]]] = {}
    for route in routes:
        for above, below in pairwise(route):
            neighbours.setdefault(above, (set(), set()))[1].add(below)
            neighbours.setdefault(below, (set(), set()))[0].add(above)
    return neighbours


_ALONE: tuple[set[Place], set[Place]] = (set(), set())


def _sort_rows(rows: list[list[Place]], neighbours: Mapping[Place, tuple[set[Place], set[Place]]]) -> None:
    """Sort each row by the mean position of the neighbours, in sweeps that alternately go down and up."""
    positions = {place: (at + 0.5) / len(row) for row in rows for at, place in enumerate(row)}
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            targets = {}
            for place in row:
                known = [positions[neighbour] for neighbour in neighbours.get(place, _ALONE)[sweep % 2]]
                targets[place] = sum(known) / len(known) if known else positions[place]
            row.sort(key=targets.__getitem__)
            positions |= {place: (at + 0.5) / len(row) for at, place in enumerate(row)}


def _place_middles(
    rows: list[list[Place]], neighbours: Mapping[Place, tuple[set[Place], set[Place]]], widths: Mapping[Box, int]
) -> dict[Place, float]:
    """Return the horizontal middle of each place: near the median of its neighbours, without overlaps in its row."""
    middles: dict[Place, float] = {}
    # A place minus its offset in the packed row may not fall from left to right: then no two places overlap, and the
    # nearest such positions are an isotonic regression (`_nearest_rising`).
    offsets = []
    for row in rows:
        ends, at = [], 0.0
        for place in row:
            width = _PASS if isinstance(place, tuple) else widths[place]
            ends.append(at + width / 2)
            at += width + _GAP
        offsets.append([middle - (at - _GAP) / 2 for middle in ends])
        middles |= zip(row, offsets[-1], strict=True)
    for sweep in range(_SWEEPS):
        numbers = range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 1, -1, -1)
        for number in numbers:
            wishes = []
            for place, offset in zip(rows[number], offsets[number], strict=True):
                near = sorted(middles[neighbour] for neighbour in neighbours.get(place, _ALONE)[sweep % 2])
                half = len(near) // 2
                wish = middles[place] if not near else (near[half] + near[~half]) / 2
                wishes.append(wish - offset)
            apart = zip(_nearest_rising(wishes), offsets[number], strict=True)
            middles |= zip(rows[number], (shift + offset for shift, offset in apart), strict=True)
    return middles


def _nearest_rising(values: Sequence[float]) -> list[float]:
    """Return the non-decreasing numbers that are nearest to the given ones (pool adjacent violators algorithm)."""
    pools: list[tuple[float, int]] = []
    for value in values:
        total, count = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            more, others = pools.pop()
            total, count = total + more, count + others
        pools.append((total, count))
    return [total / count for total, count in pools for _ in range(count)]


def _path(route: Sequence[Place], x: Mapping[Place, int], y: Sequence[int], at: Mapping[Place, int]) -> str:
    """Return the SVG path of an arrow through the places of its route."""
    first, *between, last = route
    is_level = at[first] == at[last]
    here = (x[first], y[at[first]] + HEIGHT)
    path = [f"M{here[0]} {here[1]}"]
    for place in between:
        top = y[at[place]]
        path.append(f"{_curve(here, (x[place], top))}V{top + HEIGHT}")
        here = (x[place], top + HEIGHT)
    if is_level:
        low = here[1] + _ROW_GAP // 2
        return f"{path[0]}C{here[0]} {low} {x[last]} {low} {x[last]} {here[1]}"
    return "".join([*path, _curve(here, (x[last], y[at[last]]))])


def _curve(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return the curve that leaves a point downwards and reaches another one from above."""
    middle = (start[1] + end[1]) // 2
    return f"C{start[0]} {middle} {end[0]} {middle} {end[0]} {end[1]}"

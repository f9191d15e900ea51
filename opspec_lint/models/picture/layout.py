"""Where the boxes in a box stand: in rows, with arrows that lead down and pass beside the boxes of the rows between.

It is the layered drawing of Sugiyama, Tagawa and Toda (1981): each box is given a row, a long arrow a place in each row
that it passes, the places of a row are sorted by the middle of their neighbours, and then moved near these.
"""

from __future__ import annotations

from itertools import pairwise

from opspec_lint.kit.record import Record
from opspec_lint.models.picture.words import columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from opspec_lint.models.picture.box import Box

    Place: TypeAlias = Box | tuple[Box, int]
    """What stands in a row: a box, or the arrows of a box that pass the row of a number."""

HEIGHT = 46
"""Pixels of a box, and of its text: a character of the font with equal widths, at most."""
_CHARACTER, _PADDING, _NARROWEST = 7.3, 20, 76
_BESIDE, _BELOW, _EDGE, _PASS = 16, 32, 6, 10
_IN_A_ROW = 6
_SWEEPS = 6


class Placed(Record):
    """A box with the place of its upper left corner, and its width."""

    box: Box
    x: int
    y: int
    width: int


class Line(Record):
    """An arrow as the path of an SVG, with how many tensors go along it; if `is_back`, its head is at the begin."""

    path: str
    count: int
    is_back: bool = False


class Layout(Record):
    """The drawing of what is in a box, in pixels."""

    width: int
    height: int
    boxes: tuple[Placed, ...]
    lines: tuple[Line, ...]


def layout(boxes: Sequence[Box], arrows: Mapping[tuple[Box, Box], int], lines: Mapping[Box, Sequence[str]]) -> Layout:
    """Return the drawing of boxes and of the arrows between them.

    Args:
        boxes: the boxes.
        arrows: how many tensors go from one box to another.
        lines: the lines of text on each box.
    """
    known = set(boxes)
    drawn = {ends: count for ends, count in arrows.items() if ends[0] is not ends[1] and known.issuperset(ends)}
    rows: list[list[Place]] = [list(row) for row in _rows(boxes, drawn)]
    at = {place: number for number, row in enumerate(rows) for place in row}
    routes = {ends: _route(*ends, at, rows) for ends in drawn}
    beside = _neighbours(routes.values())
    _sort(rows, beside)
    widths = {box: _width(lines[box]) for box in boxes}
    middles = _middles(rows, beside, widths)
    left = min((middles[box] - widths[box] / 2 for box in boxes), default=0)
    left = min([left, *(middles[place] for place in middles if isinstance(place, tuple))])
    x = {place: round(middle - left) + _EDGE for place, middle in middles.items()}
    y = [_EDGE + number * (HEIGHT + _BELOW) for number in range(len(rows))]
    placed = [Placed(box=box, x=x[box] - widths[box] // 2, y=y[at[box]], width=widths[box]) for box in boxes]
    right = max([each.x + each.width for each in placed] + [each for place, each in x.items()], default=0)
    return Layout(
        width=right + _EDGE,
        height=2 * _EDGE + len(rows) * (HEIGHT + _BELOW) - _BELOW,
        boxes=tuple(placed),
        lines=tuple(
            Line(path=_path(routes[ends], x, y, at), count=count, is_back=at[ends[0]] > at[ends[1]])
            for ends, count in drawn.items()
        ),
    )


def _width(lines: Iterable[str]) -> int:
    """Return the width of a box with some lines of text, an even number."""
    text = max((columns(line) for line in lines), default=0)
    return max(_NARROWEST, 2 * round((text * _CHARACTER + _PADDING) / 2))


def _rows(boxes: Sequence[Box], arrows: Iterable[tuple[Box, Box]]) -> list[list[Box]]:
    """Return boxes in rows: below all that lead to it, and what takes nothing right above what it leads to."""
    after: dict[Box, list[Box]] = {box: [] for box in boxes}
    has_before = set()
    for source, target in arrows:
        after[source].append(target)
        has_before.add(target)
    order = _from_last(boxes, after)
    number = {box: at for at, box in enumerate(order)}
    rank = dict.fromkeys(boxes, 0)
    for box in reversed(order):
        for target in after[box]:
            if number[target] < number[box]:
                rank[target] = max(rank[target], rank[box] + 1)
    for box in order:
        if box not in has_before and after[box]:
            rank[box] = max(0, min(rank[each] for each in after[box]) - 1)
    rows: list[list[Box]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
    for box in boxes:
        rows[rank[box]].append(box)
    return [part for row in rows if row for part in _cut(row)]


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


def _cut(row: list[Box]) -> list[list[Box]]:
    """Return a row in as many of nearly equal length as it needs."""
    parts = -(-len(row) // _IN_A_ROW)
    size = -(-len(row) // parts)
    return [row[at : at + size] for at in range(0, len(row), size)]


def _route(source: Box, target: Box, at: dict[Place, int], rows: list[list[Place]]) -> list[Place]:
    """Return what an arrow passes, from the upper end to the lower one; the arrows of a box pass a row together."""
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
    """Return what each place is joined to in the row above and in the row below."""
    beside: dict[Place, tuple[set[Place], set[Place]]] = {}
    for route in routes:
        for above, below in pairwise(route):
            beside.setdefault(above, (set(), set()))[1].add(below)
            beside.setdefault(below, (set(), set()))[0].add(above)
    return beside


_ALONE: tuple[set[Place], set[Place]] = (set(), set())


def _sort(rows: list[list[Place]], beside: Mapping[Place, tuple[set[Place], set[Place]]]) -> None:
    """Sort each row by the middle of what its places are joined to, down and up in turn."""
    place = {each: (at + 0.5) / len(row) for row in rows for at, each in enumerate(row)}
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = {}
            for each in row:
                known = [place[other] for other in beside.get(each, _ALONE)[sweep % 2]]
                wanted[each] = sum(known) / len(known) if known else place[each]
            row.sort(key=wanted.__getitem__)
            place |= {each: (at + 0.5) / len(row) for at, each in enumerate(row)}


def _middles(
    rows: list[list[Place]], beside: Mapping[Place, tuple[set[Place], set[Place]]], widths: Mapping[Box, int]
) -> dict[Place, float]:
    """Return the middle of each place, near those of its neighbours as far as the others of its row let it."""
    middles: dict[Place, float] = {}
    offsets = []
    for row in rows:
        ends, at = [], 0.0
        for place in row:
            width = _PASS if isinstance(place, tuple) else widths[place]
            ends.append(at + width / 2)
            at += width + _BESIDE
        offsets.append([each - (at - _BESIDE) / 2 for each in ends])
        middles |= zip(row, offsets[-1], strict=True)
    for sweep in range(_SWEEPS):
        numbers = range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 1, -1, -1)
        for number in numbers:
            wanted = []
            for place, offset in zip(rows[number], offsets[number], strict=True):
                near = sorted(middles[each] for each in beside.get(place, _ALONE)[sweep % 2])
                half = len(near) // 2
                wish = middles[place] if not near else (near[half] + near[~half]) / 2
                wanted.append(wish - offset)
            apart = zip(_rising(wanted), offsets[number], strict=True)
            middles |= zip(rows[number], (shift + offset for shift, offset in apart), strict=True)
    return middles


def _rising(wanted: Sequence[float]) -> list[float]:
    """Return the numbers that never fall and are nearest to some that may (pool adjacent violators)."""
    pools: list[tuple[float, int]] = []
    for value in wanted:
        total, count = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            more, others = pools.pop()
            total, count = total + more, count + others
        pools.append((total, count))
    return [total / count for total, count in pools for _ in range(count)]


def _path(route: Sequence[Place], x: Mapping[Place, int], y: Sequence[int], at: Mapping[Place, int]) -> str:
    """Return the path of an arrow through the places that it passes, from the upper end to the lower one."""
    first, *between, last = route
    is_level = at[first] == at[last]
    here = (x[first], y[at[first]] + HEIGHT)
    path = [f"M{here[0]} {here[1]}"]
    for place in between:
        top = y[at[place]]
        path.append(f"{_bent(here, (x[place], top))}V{top + HEIGHT}")
        here = (x[place], top + HEIGHT)
    if is_level:
        low = here[1] + _BELOW // 2
        return f"{path[0]}C{here[0]} {low} {x[last]} {low} {x[last]} {here[1]}"
    return "".join([*path, _bent(here, (x[last], y[at[last]]))])


def _bent(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return a curve that leaves a point downwards and reaches another one from above."""
    middle = (start[1] + end[1]) // 2
    return f"C{start[0]} {middle} {end[0]} {middle} {end[0]} {end[1]}"

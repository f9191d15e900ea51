"""Folding: what is alike becomes one box, and a box with too many others in it gets boxes between.

Four ways, each taken where a box still has more in it than a person can take in: scopes whose content is alike; nodes
that repeat in a row; constants of one op; and at last what stands next to each other.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.models.picture.box import Box
from opspec_lint.models.picture.words import TO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FEW = 12
"""So many boxes in a box need no folding."""
MANY = 36
"""More boxes than these are folded by all means."""
_PERIODS = 64
_STEPS = 2_000_000
"""The longest part that is looked for again in a row, and the comparisons that one row may take."""
_DIGITS = pattern(r"\d+")


class Folding:
    """The folding of the boxes of a picture.

    Args:
        root: the box whose content is to be folded.
    """

    def __init__(self, root: Box) -> None:
        self.copies: dict[int, list[int]] = {}
        """Of which of the parts that are alike a node was, by its number; inner parts first."""
        self._keys: dict[tuple[object, ...], int] = {}
        for box in reversed(list(root.below())):
            self._fold(box)

    def _fold(self, box: Box) -> None:
        ways: tuple[tuple[int, Callable[[list[Box]], list[Box]]], ...] = (
            (FEW, self._alike),
            (FEW, self._repeated),
            (MANY, self._kin),
            (MANY, self._runs),
        )
        for most, way in ways:
            if len(box.children) > most:
                box.children = way(box.children)
        self._number(box)

    def _number(self, box: Box) -> None:
        """Number a box by what it is made of, so that boxes of the same number are alike."""
        made = (box.kind, box.op, box.times, tuple(child.key for child in box.children))
        box.key = self._keys.setdefault(made, len(self._keys))

    def _made(self, box: Box) -> Box:
        self._number(box)
        return box

    def _alike(self, boxes: list[Box]) -> list[Box]:
        """Put scopes together that are alike, and whose names differ in numbers only."""
        groups: dict[tuple[int, str], list[Box]] = {}
        for box in boxes:
            if box.kind in ("scope", "graph"):
                groups.setdefault((box.key, _DIGITS.sub("0", box.label)), []).append(box)
        several = {id(group[0]): group for group in groups.values() if len(group) > 1}
        gone = {id(box) for group in several.values() for box in group[1:]}
        return [
            self._merged([[each] for each in several[id(box)]]) if id(box) in several else box
            for box in boxes
            if id(box) not in gone
        ]

    def _merged(self, parts: Sequence[list[Box]]) -> Box:
        """Return the box of several parts that are alike: it holds the first of them."""
        if len(parts[0]) == 1 and parts[0][0].kind == "node":
            nodes = [only for (only,) in parts]
            return self._one(nodes, _from_to(nodes[0].label, nodes[-1].label))
        for copy, part in enumerate(parts):
            for top in part:
                for box in top.below():
                    for number in box.members:
                        self.copies.setdefault(number, []).append(copy)
        for part in parts[1:]:
            for first, other in zip(parts[0], part, strict=True):
                _take_in(first, other)
        first, last = parts[0][0], parts[-1][-1]
        inside = first.children if len(parts[0]) == 1 else list(parts[0])
        made = Box(_from_to(first.label, last.label), "alike", children=inside)
        made.times = len(parts)
        return self._made(made)

    def _repeated(self, boxes: list[Box]) -> list[Box]:
        """Put parts together that follow each other and are alike."""
        keys = [box.key for box in boxes]
        found, at = [], 0
        runs = _runs_by_period(keys)
        while at < len(boxes):
            period, times = max(
                ((period, run[at] // period + 1) for period, run in runs.items()),
                key=lambda each: (each[0] * each[1] if _is_repeat(*each) else 0, -each[0]),
                default=(1, 1),
            )
            if not _is_repeat(period, times):
                found.append(boxes[at])
                at += 1
                continue
            parts = [boxes[at + each * period : at + (each + 1) * period] for each in range(times)]
            found.append(self._merged(parts))
            at += period * times
        return found

    def _kin(self, boxes: list[Box]) -> list[Box]:
        """Put constants of one op together, of the most frequent ops first, until few enough boxes are left.

        Nodes that take something stay where they are, since the way that tensors go would be lost.
        """
        by_op: dict[str, list[Box]] = {}
        for box in boxes:
            if box.kind == "node" and box.is_source:
                by_op.setdefault(box.op, []).append(box)
        gone: dict[int, Box | None] = {}
        left = len(boxes)
        for op, group in sorted(by_op.items(), key=lambda each: -len(each[1])):
            if left <= MANY or len(group) < 3:
                break
            left -= len(group) - 1
            gone |= dict.fromkeys(map(id, group))
            gone[id(group[0])] = self._one(group, op)
        kept = (gone.get(id(box), box) for box in boxes)
        return [box for box in kept if box is not None]

    def _one(self, nodes: Sequence[Box], label: str) -> Box:
        """Return the box of nodes of one op."""
        made = Box(label, "kin", nodes[0].op)
        for each in nodes:
            _take_in(made, each)
        return self._made(made)

    def _runs(self, boxes: list[Box]) -> list[Box]:
        """Put what stands next to each other in boxes of equal size, and these in others, until few enough are left."""
        while len(boxes) > MANY:
            size = max(2, min(MANY, -(-len(boxes) // MANY)))
            parts = [boxes[at : at + size] for at in range(0, len(boxes), size)]
            boxes = [
                self._made(Box(_from_to(part[0].label, part[-1].label), "run", children=part)) if part[1:] else part[0]
                for part in parts
            ]
        return boxes


def _is_repeat(period: int, times: int) -> bool:
    return times >= 3 or (times == 2 and period >= 4)


def _runs_by_period(keys: Sequence[int]) -> dict[int, list[int]]:
    """Return, by period and place, how many of the keys from there on are the same one period later."""
    found = {}
    for period in range(1, min(_PERIODS, len(keys) // 2, max(1, _STEPS // len(keys))) + 1):
        run = [0] * (len(keys) + 1)
        for at in range(len(keys) - period - 1, -1, -1):
            run[at] = run[at + 1] + 1 if keys[at] == keys[at + period] else 0
        found[period] = run
    return found


def _take_in(first: Box, other: Box) -> None:
    """Let a box stand for another one, which is like it, as well."""
    for mine, theirs in zip(first.below(), other.below(), strict=True):
        mine.members += theirs.members
        mine.calls |= theirs.calls
        mine.marks += theirs.marks


def _from_to(first: str, last: str) -> str:
    """Return the label of what goes from one box to another, each of which may have such a label itself."""
    begin, end = first.partition(TO)[0], last.rpartition(TO)[2]
    return begin if begin == end else f"{begin}{TO}{end}"

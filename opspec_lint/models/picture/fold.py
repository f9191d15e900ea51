"""Folding: similar boxes are merged into one, and a box with too many others in it gets boxes in between.

Four steps, each applied to a box that still contains too much to read: merge scopes with equal content; merge parts
that repeat in a row; group constants of one op; group neighbours into runs of equal length.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.models.picture.box import Box
from opspec_lint.models.picture.labels import TO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FEW = 12
"""A box with at most this many children needs no merging."""
MANY = 36
"""A box with more children than this is folded even where its children have nothing in common."""
_MAX_PERIOD = 64
"""The longest repeating part that is searched for."""
_MAX_COMPARISONS = 2_000_000
"""Comparisons that the search in one box may take."""
_DIGITS = pattern(r"\d+")


class Folding:
    """The folding of all boxes in `root`, which changes the tree in place."""

    def __init__(self, root: Box) -> None:
        self.copies: dict[int, list[int]] = {}
        """By the number of a node, the index of its copy in each merged box around it; inner boxes first."""
        self._keys: dict[tuple[object, ...], int] = {}
        # Children first: the key of a box depends on the keys of the boxes in it.
        for box in reversed(list(root.walk())):
            self._fold(box)

    def _fold(self, box: Box) -> None:
        """Apply the folding steps to the children of a box, each only if there are still too many."""
        ways: tuple[tuple[int, Callable[[list[Box]], list[Box]]], ...] = (
            (FEW, self._merge_similar_scopes),
            (FEW, self._merge_repeats),
            (MANY, self._merge_constants),
            (MANY, self._group_runs),
        )
        for most, way in ways:
            if len(box.children) > most:
                box.children = way(box.children)
        self._set_key(box)

    def _set_key(self, box: Box) -> None:
        """Set the key of a box: boxes with equal content get an equal key."""
        made = (box.kind, box.op, box.times, tuple(child.key for child in box.children))
        box.key = self._keys.setdefault(made, len(self._keys))

    def _with_key(self, box: Box) -> Box:
        """Set the key of a new box, and return the box."""
        self._set_key(box)
        return box

    def _merge_similar_scopes(self, boxes: list[Box]) -> list[Box]:
        """Merge scopes with equal content and names that differ only in numbers, such as `layer_0` and `layer_1`."""
        groups: dict[tuple[int, str], list[Box]] = {}
        for box in boxes:
            if box.kind in ("scope", "graph"):
                groups.setdefault((box.key, _DIGITS.sub("0", box.label)), []).append(box)
        several = {id(group[0]): group for group in groups.values() if len(group) > 1}
        gone = {id(box) for group in several.values() for box in group[1:]}
        return [
            self._merge_copies([[copy] for copy in several[id(box)]]) if id(box) in several else box
            for box in boxes
            if id(box) not in gone
        ]

    def _merge_copies(self, parts: Sequence[list[Box]]) -> Box:
        """Return one box for several copies of a part (a list of boxes each); it contains the first copy."""
        if len(parts[0]) == 1 and parts[0][0].kind == "node":
            nodes = [only for (only,) in parts]
            return self._group_nodes(nodes, _range_label(nodes[0].label, nodes[-1].label))
        for copy, part in enumerate(parts):
            for top in part:
                for box in top.walk():
                    for number in box.members:
                        self.copies.setdefault(number, []).append(copy)
        for part in parts[1:]:
            for first, duplicate in zip(parts[0], part, strict=True):
                _absorb(first, duplicate)
        first, last = parts[0][0], parts[-1][-1]
        inside = first.children if len(parts[0]) == 1 else list(parts[0])
        made = Box(_range_label(first.label, last.label), "alike", children=inside)
        made.times = len(parts)
        return self._with_key(made)

    def _merge_repeats(self, boxes: list[Box]) -> list[Box]:
        """Merge equal parts that follow each other in a row.

        At each position, the period that covers most boxes wins, the shorter one if two cover the same.
        """
        keys = [box.key for box in boxes]
        folded, at = [], 0
        runs = _runs_by_period(keys)
        while at < len(boxes):
            period, times = max(
                ((period, run[at] // period + 1) for period, run in runs.items()),
                key=lambda candidate: (candidate[0] * candidate[1] if _is_repeat(*candidate) else 0, -candidate[0]),
                default=(1, 1),
            )
            if not _is_repeat(period, times):
                folded.append(boxes[at])
                at += 1
                continue
            parts = [boxes[at + index * period : at + (index + 1) * period] for index in range(times)]
            folded.append(self._merge_copies(parts))
            at += period * times
        return folded

    def _merge_constants(self, boxes: list[Box]) -> list[Box]:
        """Group constants of one op, the most frequent op first, until few enough boxes are left.

        Nodes with inputs are not grouped, because their arrows would be lost.
        """
        by_op: dict[str, list[Box]] = {}
        for box in boxes:
            if box.kind == "node" and box.is_source:
                by_op.setdefault(box.op, []).append(box)
        gone: dict[int, Box | None] = {}
        left = len(boxes)
        for op, group in sorted(by_op.items(), key=lambda item: -len(item[1])):
            if left <= MANY or len(group) < 3:
                break
            left -= len(group) - 1
            gone |= dict.fromkeys(map(id, group))
            gone[id(group[0])] = self._group_nodes(group, op)
        kept = (gone.get(id(box), box) for box in boxes)
        return [box for box in kept if box is not None]

    def _group_nodes(self, nodes: Sequence[Box], label: str) -> Box:
        """Return a `kin` box for nodes of one op."""
        made = Box(label, "kin", nodes[0].op)
        for node in nodes:
            _absorb(made, node)
        return self._with_key(made)

    def _group_runs(self, boxes: list[Box]) -> list[Box]:
        """Group neighbours into boxes of equal size, repeatedly, until few enough boxes are left."""
        while len(boxes) > MANY:
            # `-(-a // b)` is a / b rounded up.
            size = max(2, min(MANY, -(-len(boxes) // MANY)))
            parts = [boxes[at : at + size] for at in range(0, len(boxes), size)]
            boxes = [
                self._with_key(Box(_range_label(part[0].label, part[-1].label), "run", children=part))
                if part[1:]
                else part[0]
                for part in parts
            ]
        return boxes


def _is_repeat(period: int, times: int) -> bool:
    """Return True if a part is repeated often enough to merge it: three times, or twice if it has four boxes."""
    return times >= 3 or (times == 2 and period >= 4)


def _runs_by_period(keys: Sequence[int]) -> dict[int, list[int]]:
    """Return, for each period and position, how many keys from there on equal the key one period later."""
    runs = {}
    for period in range(1, min(_MAX_PERIOD, len(keys) // 2, max(1, _MAX_COMPARISONS // len(keys))) + 1):
        run = [0] * (len(keys) + 1)
        for at in range(len(keys) - period - 1, -1, -1):
            run[at] = run[at + 1] + 1 if keys[at] == keys[at + period] else 0
        runs[period] = run
    return runs


def _absorb(first: Box, duplicate: Box) -> None:
    """Add the nodes, calls and marks of a duplicate to the box that represents it."""
    for kept, dropped in zip(first.walk(), duplicate.walk(), strict=True):
        kept.members += dropped.members
        kept.calls |= dropped.calls
        kept.marks += dropped.marks


def _range_label(first: str, last: str) -> str:
    """Return the label `first … last` of a range of boxes, whose labels may be ranges themselves."""
    begin, end = first.partition(TO)[0], last.rpartition(TO)[2]
    return begin if begin == end else f"{begin}{TO}{end}"

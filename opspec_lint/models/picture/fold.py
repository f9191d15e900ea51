"""Folding: similar boxes are merged into one, and a box with too many others in it gets boxes in between.

Four steps, each applied to a box that still contains too much to read: merge scopes with equal content; merge parts
that repeat in a row; group constants of one op; group neighbours into runs of equal length.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.models.picture.box import Box
from opspec_lint.models.picture.labels import TO
from opspec_lint.models.picture.scopes import items_in_circles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FEW = 12
"""A box with at most this many children needs no merging."""
MANY = 36
"""A box with more children than this is folded even where its children have nothing in common."""
_MAX_PERIOD = 64
"""The longest repeating part that is searched for."""
_MAX_COMPARISONS = 2_000_000
"""Comparisons that the search in one box may take."""
_DIGITS = pattern(r"\d+")


class Limits(Record):
    """The limits of folding: the most children of a box that needs no merging, and of one that needs no runs."""

    few: int = FEW
    many: int = MANY


class Folding:
    """The folding of all boxes in `root`, which changes the tree in place; `wires` are pairs (giver, taker) of nodes.

    Copies are merged only if the arrows of the merged boxes make no circle.
    """

    def __init__(self, root: Box, wires: Iterable[tuple[int, int]] = (), limits: Limits | None = None) -> None:
        self.copies: dict[int, list[int]] = {}
        """By the number of a node, the index of its copy in each merged box around it; inner boxes first."""
        self._keys: dict[tuple[object, ...], int] = {}
        self._limits = limits or Limits()
        self._givers: dict[int, list[int]] = {}
        for giver, taker in wires:
            self._givers.setdefault(taker, []).append(giver)
        # Children first: the key of a box depends on the keys of the boxes in it.
        for box in reversed(list(root.walk())):
            self._fold(box)

    def _fold(self, box: Box) -> None:
        """Apply the folding steps to the children of a box, each only if there are still too many."""
        few, many = self._limits.few, self._limits.many
        if len(box.children) > few:
            self._merge(box, self._similar_scopes(box.children))
        if len(box.children) > few:
            box.children = self._givers_first(box.children)
            self._merge(box, self._repeats(box.children))
        if len(box.children) > many:
            box.children = self._merge_constants(box.children)
        if len(box.children) > many:
            box.children = self._group_runs(box.children)
        self._set_key(box)

    def _merge(self, box: Box, groups: Sequence[list[list[Box]]]) -> None:
        """Merge the copies in each group of parts, unless the merged boxes would be in a circle."""
        if self._makes_circle(groups):
            return
        box.children = [self._merge_copies(parts) if len(parts) > 1 else parts[0][0] for parts in groups]

    def _makes_circle(self, groups: Sequence[list[list[Box]]]) -> bool:
        """Return True if arrows between groups would make a circle that is not there between the boxes."""
        if all(len(parts) == 1 for parts in groups) or not self._givers:
            return False
        boxes = [(at, box) for at, parts in enumerate(groups) for part in parts for box in part]
        members = [
            (number, at, place) for place, (at, top) in enumerate(boxes) for box in top.walk() for number in box.members
        ]
        merged = items_in_circles({number: at for number, at, _ in members}, self._givers)
        apart = items_in_circles({number: place for number, _, place in members}, self._givers)
        return not merged <= {boxes[place][0] for place in apart if isinstance(place, int)}

    def _set_key(self, box: Box) -> None:
        """Set the key of a box: boxes with equal content get an equal key."""
        made = (box.kind, box.op, box.times, tuple(child.key for child in box.children))
        box.key = self._keys.setdefault(made, len(self._keys))

    def _with_key(self, box: Box) -> Box:
        """Set the key of a new box, and return the box."""
        self._set_key(box)
        return box

    def _similar_scopes(self, boxes: list[Box]) -> list[list[list[Box]]]:
        """Return scopes with equal content and names that differ only in numbers as one group each.

        Such are `layer_0` and `layer_1`. A group is a list of parts, and a box on its own the only part of a group.
        """
        groups: dict[tuple[int, str], list[list[Box]]] = {}
        result: list[list[list[Box]]] = []
        for box in boxes:
            key = (box.key, _DIGITS.sub("0", box.label))
            is_scope = box.kind in ("scope", "graph")
            if is_scope and key in groups:
                groups[key].append([box])
                continue
            result.append([[box]])
            if is_scope:
                groups[key] = result[-1]
        return result

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

    def _givers_first(self, boxes: list[Box]) -> list[Box]:
        """Return boxes so that each comes right after those that it alone takes: then equal blocks are equal rows.

        It is a depth-first post-order over givers. Files often have all constants in front.
        """
        if not self._givers:
            return boxes
        place = {number: at for at, top in enumerate(boxes) for box in top.walk() for number in box.members}
        givers: list[dict[int, None]] = [{} for _ in boxes]
        is_taken = [False] * len(boxes)
        for number, at in place.items():
            for giver in self._givers.get(number, ()):
                source = place.get(giver, at)
                if source != at:
                    givers[at][source] = None
                    is_taken[source] = True
        done: dict[int, None] = {}
        begun: set[int] = set()
        # What nothing takes comes first as a root of the search, so that its givers follow from it; circles remain.
        roots = [at for at, taken in enumerate(is_taken) if not taken]
        for root in (*roots, *range(len(boxes))):
            waiting = [(root, False)]
            while waiting:
                at, is_left = waiting.pop()
                if is_left:
                    done[at] = None
                elif at not in begun:
                    begun.add(at)
                    waiting.append((at, True))
                    waiting.extend((giver, False) for giver in reversed(givers[at]))
        return [boxes[at] for at in done]

    def _repeats(self, boxes: list[Box]) -> list[list[list[Box]]]:
        """Return equal parts that follow each other in a row as one group each, as in `_similar_scopes`.

        At each position, the period that covers most boxes wins, the shorter one if two cover the same.
        """
        keys = [box.key for box in boxes]
        groups, at = [], 0
        repeats = _best_repeats(keys)
        while at < len(boxes):
            period, times = repeats.get(at, (1, 1))
            groups.append([boxes[at + index * period : at + (index + 1) * period] for index in range(times)])
            at += period * times
        return groups

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
            if left <= self._limits.many or len(group) < 3:
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
            size = max(2, min(self._limits.many, -(-len(boxes) // MANY)))
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


def _best_repeats(keys: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return the period and the number of copies of the part that repeats from a position on, by the position.

    Of several periods, the one that covers most keys wins, the shorter one if two cover the same.
    """
    best: dict[int, tuple[int, int]] = {}
    for period in range(1, min(_MAX_PERIOD, len(keys) // 2, max(1, _MAX_COMPARISONS // len(keys))) + 1):
        equal = 0
        for at in range(len(keys) - period - 1, -1, -1):
            equal = equal + 1 if keys[at] == keys[at + period] else 0
            if equal >= period and _is_repeat(period, times := equal // period + 1):
                known_period, known_times = best.get(at, (0, 0))
                if period * times > known_period * known_times:
                    best[at] = period, times
    return best


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

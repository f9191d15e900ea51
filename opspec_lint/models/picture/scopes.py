"""The scopes of a graph: node names such as `encoder/layer_0/dense/MatMul` as nested boxes.

A scope that takes what it gave before, by way of nodes outside, is drawn in parts: so tensors flow in one direction
between any two boxes, and none is above what it takes.
"""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple

from opspec_lint.models.picture.box import Box

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import TypeAlias

    Item: TypeAlias = int | str
    """What is in a scope: a node, by its place in the graph, or an inner scope, by its name."""

    from opspec_lint.models.model import Sketch

_MAX_DEPTH = 12
"""Levels of scopes; the rest of a longer name stays in the label."""


class _ScopePart(NamedTuple):
    """A node, or part `number` of the `total` parts of an inner scope, with the nodes in it."""

    item: Item
    members: list[int]
    number: int = 1
    total: int = 1


def scope_tree(
    label: str, nodes: Sequence[Sketch], ops: Sequence[str], first: int, wires: Iterable[tuple[int, int]] = ()
) -> Box:
    """Return the box of a graph with its nodes in scopes, numbered from `first` on.

    `wires` are pairs (giver, taker) of node numbers.
    """
    givers: dict[int, set[int]] = {}
    for giver, taker in wires:
        givers.setdefault(taker - first, set()).add(giver - first)
    paths = [node.name.split("/", _MAX_DEPTH) for node in nodes]
    root = Box(label, "graph")
    waiting: list[tuple[Box, list[int], int]] = [(root, list(range(len(nodes))), 0)]
    while waiting:
        box, members, depth = waiting.pop()
        for part in _contents(members, depth, paths, givers):
            item = part.item
            if isinstance(item, int):
                box.children.append(_node_box(nodes[item], paths[item][-1], ops[item], item + first))
                continue
            number = f" ({part.number} of {part.total})" if part.total > 1 else ""
            scope = Box(item + number, "scope")
            box.children.append(scope)
            waiting.append((scope, part.members, depth + 1))
    # Inner boxes first, so that a chain of scopes with one child each collapses into one label.
    for box in reversed(list(root.walk())):
        box.children = [_join_only_child(child) for child in box.children]
    return root


def _node_box(node: Sketch, name: str, op: str, number: int) -> Box:
    """Return the box of a node."""
    box = Box(name or node.name, "node", op)
    box.is_source = not node.takes
    box.members.append(number)
    return box


def _contents(
    members: Sequence[int], depth: int, paths: Sequence[Sequence[str]], givers: Mapping[int, Collection[int]]
) -> list[_ScopePart]:
    """Return what is in a scope in the order of the file: nodes, and scopes with their members, maybe in parts."""
    if len(members) == 1:  # most scopes of a large graph have one member
        (only,) = members
        return [_ScopePart(paths[only][depth] if len(paths[only]) > depth + 1 else only, [only])]
    items = {at: paths[at][depth] if len(paths[at]) > depth + 1 else at for at in members}
    members_of: dict[tuple[Item, int], list[int]] = {}
    parts = _parts_of_circles(items, givers)
    for at, item in items.items():
        members_of.setdefault((item, parts.get(at, 0)), []).append(at)
    # The parts are numbered through all items, and their labels through the parts of one item.
    parts_of: dict[Item, list[int]] = {}
    for item, part in sorted(members_of, key=itemgetter(1)):
        parts_of.setdefault(item, []).append(part)
    return [
        _ScopePart(item, inner, number=parts_of[item].index(part) + 1, total=len(parts_of[item]))
        for (item, part), inner in members_of.items()
    ]


def _parts_of_circles(items: Mapping[int, Item], givers: Mapping[int, Collection[int]]) -> dict[int, int]:
    """Return the part number of each node whose item is in a circle of items.

    A part is a run of nodes of one item in a topological order of nodes, so the parts are in no circle.
    """
    circle = items_in_circles(items, givers)
    if not circle:
        return {}
    inside = [at for at, item in items.items() if item in circle]
    takers: dict[int, list[int]] = {at: [] for at in inside}
    for at in inside:
        for giver in givers.get(at, ()):
            if giver in takers:
                takers[giver].append(at)
    # Constants do not decide when a scope is left: each joins the part that takes it.
    moving = {at: items[at] for at in inside if givers.get(at, ())}
    parts = _topological_parts(moving, givers, takers)
    _add_sources([at for at in inside if at not in moving], items, takers, parts)
    return parts


def _topological_parts(
    moving: Mapping[int, Item], givers: Mapping[int, Collection[int]], takers: Mapping[int, Sequence[int]]
) -> dict[int, int]:
    """Return the part number of each node; `moving` has the items of the nodes that are in circles."""
    # Givers of each node that are not in a part yet.
    left = {at: sum(giver in moving for giver in givers.get(at, ())) for at in moving}
    # Tensors that an item still waits for from other items: an item that waits for none can be finished in one part.
    blocked = dict.fromkeys(moving.values(), 0)
    ready: dict[Item, list[int]] = {}
    for at, item in sorted(moving.items(), reverse=True):
        blocked[item] += sum(giver in moving and moving[giver] != item for giver in givers.get(at, ()))
        if not left[at]:
            ready.setdefault(item, []).append(at)
    parts: dict[int, int] = {}
    part = 0
    while len(parts) < len(moving):
        if not ready:
            # A loop of the model itself: it is entered at its first node.
            at = min(at for at in moving if at not in parts)
            ready[moving[at]] = [at]
        item = min(ready, key=lambda item: (blocked[item] > 0, ready[item][-1]))
        part += 1
        stack = ready.pop(item)
        while stack:
            at = stack.pop()
            if at in parts:
                continue
            parts[at] = part
            for taker in takers[at]:
                if taker not in left:
                    continue
                left[taker] -= 1
                blocked[moving[taker]] -= moving[taker] != item
                if not left[taker] and moving[taker] == item:
                    stack.append(taker)
                elif not left[taker]:
                    ready.setdefault(moving[taker], []).append(taker)
    return parts


def _add_sources(
    sources: Iterable[int], items: Mapping[int, Item], takers: Mapping[int, Sequence[int]], parts: dict[int, int]
) -> None:
    """Add nodes without inputs to `parts`: each to the last part of its item that is before all of its takers."""
    parts_of_items: dict[Item, set[int]] = {}
    for at, number in parts.items():
        parts_of_items.setdefault(items[at], set()).add(number)
    for at in sources:
        earliest = min((parts[taker] for taker in takers[at] if taker in parts), default=0)
        item_parts = parts_of_items.get(items[at], {0})
        parts[at] = max((number for number in item_parts if number <= earliest), default=min(item_parts))


def items_in_circles(items: Mapping[int, Item], givers: Mapping[int, Collection[int]]) -> set[Item]:
    """Return the items that are in a circle, or between two circles; `items` maps each node to its item."""
    takes: dict[Item, set[Item]] = {item: set() for item in items.values()}
    if len(takes) < 2:
        return set()
    gives: dict[Item, set[Item]] = {item: set() for item in takes}
    for at, item in items.items():
        for giver in givers.get(at, ()):
            source = items.get(giver, item)
            if source != item:
                takes[item].add(source)
                gives[source].add(item)
    circle = set(takes)
    # Whatever takes nothing from the rest is in no circle, nor is what gives nothing to it.
    for before, after in ((takes, gives), (gives, takes)):
        counts = {item: sum(neighbour in circle for neighbour in before[item]) for item in circle}
        free = [item for item in circle if not counts[item]]
        while free:
            item = free.pop()
            circle.discard(item)
            for neighbour in after[item]:
                if neighbour in circle:
                    counts[neighbour] -= 1
                    if not counts[neighbour]:
                        free.append(neighbour)
    return circle


def _join_only_child(box: Box) -> Box:
    """Return the only child of a scope, labelled `scope/child`; any other box unchanged."""
    if box.kind != "scope" or len(box.children) != 1:
        return box
    (only,) = box.children
    only.label = f"{box.label}/{only.label}"
    return only

"""The boxes that a picture is made of: a node, a scope, a run of nodes, several that are alike, a graph."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    Kind: TypeAlias = Literal["node", "scope", "alike", "kin", "run", "graph", "whole"]


class Box:
    """A box.

    Args:
        label: what stands on it.
        kind: `node`; a `scope` of names; `alike`: several parts that have the same ops in the same order, drawn as the
            first of them; `kin`: nodes of one op; `run`: what stands next to each other; a `graph`, function or block;
            the `whole` picture.
        op: the op of a node, or of nodes of one op.
        children: the boxes in it, in the order of the file.
    """

    __slots__ = (
        "arrows",
        "calls",
        "children",
        "depth",
        "is_source",
        "key",
        "kind",
        "label",
        "marks",
        "members",
        "op",
        "parent",
        "times",
    )

    def __init__(self, label: str, kind: Kind, op: str = "", children: list[Box] | None = None) -> None:
        self.label = label
        self.kind = kind
        self.op = op
        self.children = children if children is not None else []
        self.members: list[int] = []
        """The numbers of the nodes that it stands for by itself."""
        self.times = 1
        """How many parts it stands for, of which one is drawn."""
        self.arrows: dict[tuple[Box, Box], int] = {}
        """How many tensors go from one of its children to another."""
        self.calls: dict[str, None] = {}
        """The graphs that its own nodes call."""
        self.marks: list[int] = []
        """The numbers of the findings about its own nodes."""
        self.is_source = False
        """Whether it is a node that takes nothing, such as a constant."""
        self.parent: Box | None = None
        self.depth = 0
        self.key = 0
        """What a box is made of: boxes of the same number are alike."""

    def below(self) -> Iterator[Box]:
        """Yield the box and all boxes in it, each before what is in it."""
        waiting = [self]
        while waiting:
            box = waiting.pop()
            yield box
            waiting.extend(reversed(box.children))

    def place_children(self) -> None:
        """Tell each box below where it is."""
        for box in self.below():
            for child in box.children:
                child.parent, child.depth = box, box.depth + 1


def counts(root: Box) -> dict[Box, int]:
    """Return how many nodes each box stands for."""
    found: dict[Box, int] = {}
    for box in reversed(list(root.below())):
        found[box] = len(box.members) + sum(found[child] for child in box.children)
    return found


def marked(root: Box) -> dict[Box, list[int]]:
    """Return the numbers of the findings about nodes in each box that has any."""
    found: dict[Box, set[int]] = {}
    for box in root.below():
        at: Box | None = box if box.marks else None
        while at is not None:
            found.setdefault(at, set()).update(box.marks)
            at = at.parent
    return {box: sorted(numbers) for box, numbers in found.items()}

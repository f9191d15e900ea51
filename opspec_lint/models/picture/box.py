"""The boxes of a picture: a node, a scope, a run of nodes, merged copies, a graph."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    Kind: TypeAlias = Literal["node", "scope", "alike", "kin", "run", "graph", "whole"]


class Box:
    """A box of a picture, with the boxes inside.

    Args:
        label: the text on the box.
        kind: `node`; `scope`, from the names of nodes; `alike`, merged copies of a part, drawn as the first copy;
            `kin`, nodes of one op; `run`, neighbours without anything in common; `graph`, a graph, function or block;
            `whole`, the complete picture.
        op: the op of a node, or of a `kin` box.
        children: the boxes inside, in the order of the file.
    """

    # A picture has up to 100,000 boxes, and slots keep them small.
    __slots__ = (
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
        """The numbers of the nodes that the box itself represents, without its children."""
        self.times = 1
        """The number of merged copies; the first is drawn."""
        self.calls: dict[str, None] = {}
        """The names of the graphs that its own nodes call."""
        self.marks: list[int] = []
        """The numbers of the findings on its own nodes."""
        self.is_source = False
        """True for a node without inputs, such as a constant."""
        self.parent: Box | None = None
        self.depth = 0
        self.key = 0
        """The number of its content: boxes with equal content have an equal key."""

    def walk(self) -> Iterator[Box]:
        """Yield the box and all boxes in it, parents first."""
        # A stack instead of recursion, as scopes may be nested deeper than Python's recursion limit.
        waiting = [self]
        while waiting:
            box = waiting.pop()
            yield box
            waiting.extend(reversed(box.children))

    def set_parents(self) -> None:
        """Set `parent` and `depth` of all boxes below, after folding has changed the tree."""
        for box in self.walk():
            for child in box.children:
                child.parent, child.depth = box, box.depth + 1


def node_counts(root: Box) -> dict[Box, int]:
    """Return the number of nodes in each box, including merged copies."""
    sizes: dict[Box, int] = {}
    for box in reversed(list(root.walk())):
        sizes[box] = len(box.members) + sum(sizes[child] for child in box.children)
    return sizes


def finding_numbers(root: Box) -> dict[Box, list[int]]:
    """Return, for each box with findings on nodes in it, the numbers of these findings."""
    by_box: dict[Box, set[int]] = {}
    for box in root.walk():
        at: Box | None = box if box.marks else None
        while at is not None:
            by_box.setdefault(at, set()).update(box.marks)
            at = at.parent
    return {box: sorted(numbers) for box, numbers in by_box.items()}

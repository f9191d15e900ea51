"""The scopes of a graph: names such as `encoder/layer_0/dense/MatMul` as boxes in boxes."""

from __future__ import annotations

from opspec_lint.models.picture.box import Box

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.models.model import Sketch

_DEEPEST = 12
"""Scopes in scopes; what a name has beyond them stays in the label."""


def tree(label: str, nodes: Sequence[Sketch], ops: Sequence[str], first: int) -> Box:
    """Return the box of a graph, with its nodes in the scopes of their names; they are numbered from `first` on."""
    root = Box(label, "graph")
    scopes: dict[str, Box] = {"": root}
    for number, (node, op) in enumerate(zip(nodes, ops, strict=True), first):
        parts = node.name.split("/", _DEEPEST)
        box = Box(parts[-1] or node.name, "node", op)
        box.is_source = not node.takes
        box.members.append(number)
        _scope(scopes, "/".join(parts[:-1])).children.append(box)
    for box in reversed(list(root.below())):
        box.children = [_without_only_child(each) for each in box.children]
    return root


def _scope(scopes: dict[str, Box], name: str) -> Box:
    found = scopes.get(name)
    if found is None:
        outer, _, last = name.rpartition("/")
        found = scopes[name] = Box(last, "scope")
        _scope(scopes, outer).children.append(found)
    return found


def _without_only_child(box: Box) -> Box:
    """Return a box, or what is in it where that is one thing, under both names."""
    if box.kind != "scope" or len(box.children) != 1:
        return box
    (only,) = box.children
    only.label = f"{box.label}/{only.label}"
    return only

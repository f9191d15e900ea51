"""The scopes of a graph: node names such as `encoder/layer_0/dense/MatMul` as nested boxes."""

from __future__ import annotations

from opspec_lint.models.picture.box import Box

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.models.model import Sketch

_MAX_DEPTH = 12
"""Levels of scopes; the rest of a longer name stays in the label."""


def scope_tree(label: str, nodes: Sequence[Sketch], ops: Sequence[str], first: int) -> Box:
    """Return the box of a graph with its nodes in scopes, numbered from `first` on."""
    root = Box(label, "graph")
    scopes: dict[str, Box] = {"": root}
    for number, (node, op) in enumerate(zip(nodes, ops, strict=True), first):
        parts = node.name.split("/", _MAX_DEPTH)
        box = Box(parts[-1] or node.name, "node", op)
        box.is_source = not node.takes
        box.members.append(number)
        _scope_box(scopes, "/".join(parts[:-1])).children.append(box)
    # Inner boxes first, so that a chain of scopes with one child each collapses into one label.
    for box in reversed(list(root.walk())):
        box.children = [_join_only_child(child) for child in box.children]
    return root


def _scope_box(scopes: dict[str, Box], name: str) -> Box:
    """Return the box of a scope, creating it and the scopes around it if necessary."""
    scope = scopes.get(name)
    if scope is None:
        outer, _, last = name.rpartition("/")
        scope = scopes[name] = Box(last, "scope")
        _scope_box(scopes, outer).children.append(scope)
    return scope


def _join_only_child(box: Box) -> Box:
    """Return the only child of a scope, labelled `scope/child`; any other box unchanged."""
    if box.kind != "scope" or len(box.children) != 1:
        return box
    (only,) = box.children
    only.label = f"{box.label}/{only.label}"
    return only

"""Where a picture begins: the graph that a serving signature calls, or else the main graph."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.model import Model, Signature
    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.build import Picture

_SERVING = "serving_default"
_OWN = "__"
"""How the keys of signatures begin that no caller of a model uses, such as the one that initialises it."""
_WRAPPER = 4
"""Nodes of a function, at most, that does nothing but to call another one."""


def start(model: Model, picture: Picture) -> tuple[Box, str]:
    """Return the box of the graph to begin with, and which signature calls it; "" for the main graph."""
    whole = picture.whole
    signature = serving(model)
    name = None if signature is None else _called(signature, picture)
    if signature is None or name is None:
        return (whole.children[0] if whole.children else whole), ""
    seen = {name}
    while (inner := _wrapped(name, picture)) is not None and inner not in seen:
        seen.add(inner)
        name = inner
    box = picture.graphs[name]
    while box.parent is not None and box.parent is not whole:
        box = box.parent
    return box, f"signature {signature.key}" if signature.key else ""


def serving(model: Model) -> Signature | None:
    """Return the signature that a model is served by; None if it has none."""
    found = [each for meta in model.meta_graphs for each in meta.signatures if not each.key.startswith(_OWN)]
    return next((each for each in found if each.key == _SERVING), found[0] if found else None)


def _called(signature: Signature, picture: Picture) -> str | None:
    """Return the graph that the node calls which gives the first output of a signature."""
    givers = {tensor.name.partition(":")[0] for tensor in list(signature.outputs.values())[:1]}
    for graph, count in picture.drawn[:1]:
        for node in map(graph.nodes.sketch, range(count)):
            if node.name in givers:
                return next((name for name in node.calls if name in picture.graphs), None)
    return None


def _wrapped(name: str, picture: Picture) -> str | None:
    """Return the graph that a small one calls, None where it calls none or several."""
    graph, count = next((graph, count) for graph, count in picture.drawn if graph.name == name)
    if count > _WRAPPER:
        return None
    calls = {called: None for node in map(graph.nodes.sketch, range(count)) for called in node.calls}
    return next(iter(calls)) if len(calls) == 1 and picture.graphs.keys() >= calls.keys() else None

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
    main = whole.children[0] if whole.children else whole
    signature = _serving(model)
    called = None if signature is None else _called(signature, main, picture)
    if signature is None or called is None:
        return main, ""
    while (inner := _wrapped(called, picture)) is not None:
        called = inner
    while called.parent is not None and called.parent is not whole:
        called = called.parent
    return called, f"signature {signature.key}" if signature.key else ""


def _serving(model: Model) -> Signature | None:
    found = [each for meta in model.meta_graphs for each in meta.signatures if not each.key.startswith(_OWN)]
    return next((each for each in found if each.key == _SERVING), found[0] if found else None)


def _called(signature: Signature, main: Box, picture: Picture) -> Box | None:
    """Return the graph that the node calls which gives the first output of a signature."""
    for tensor in list(signature.outputs.values())[:1]:
        giver = tensor.name.partition(":")[0]
        for box in main.below():
            if box.calls and any(picture.names[each] == giver for each in box.members):
                return next((picture.graphs[name] for name in box.calls if name in picture.graphs), None)
    return None


def _wrapped(graph: Box, picture: Picture) -> Box | None:
    """Return the graph that a small one calls, None where it calls none or several."""
    below = list(graph.below())
    calls = {name: None for box in below for name in box.calls}
    if sum(len(box.members) for box in below) > _WRAPPER or len(calls) != 1:
        return None
    called = picture.graphs.get(next(iter(calls)))
    return None if called is graph else called

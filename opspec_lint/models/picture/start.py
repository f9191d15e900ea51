"""The graph that a picture begins with: the one that the serving signature calls, or else the main graph."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.model import Model, Signature
    from opspec_lint.models.picture.box import Box
    from opspec_lint.models.picture.build import ModelPicture

_SERVING = "serving_default"
_INTERNAL = "__"
"""The prefix of signature keys for internal use, such as `__saved_model_init_op`."""
_MAX_WRAPPER_NODES = 4
"""The most nodes of a function that does nothing but call another function."""


def start_graph(model: Model, picture: ModelPicture) -> tuple[Box, str]:
    """Return the box of the graph to begin with, and the signature that calls it as text, "" for the main graph."""
    whole = picture.whole
    signature = serving_signature(model)
    name = None if signature is None else _called_graph(signature, picture)
    if signature is None or name is None:
        return (whole.children[0] if whole.children else whole), ""
    seen = {name}
    # tf.function wraps the function of a signature once or more; functions that call each other in a circle end the
    # search.
    while (inner := _wrapped_graph(name, picture)) is not None and inner not in seen:
        seen.add(inner)
        name = inner
    box = picture.graphs[name]
    while box.parent is not None and box.parent is not whole:
        box = box.parent
    return box, f"signature {signature.key}" if signature.key else ""


def serving_signature(model: Model) -> Signature | None:
    """Return the signature that serves a model: `serving_default`, or else the first public one, or None."""
    signatures = [
        signature
        for meta in model.meta_graphs
        for signature in meta.signatures
        if not signature.key.startswith(_INTERNAL)
    ]
    return next(
        (signature for signature in signatures if signature.key == _SERVING), signatures[0] if signatures else None
    )


def _called_graph(signature: Signature, picture: ModelPicture) -> str | None:
    """Return the graph that is called by the node with the first output of a signature."""
    givers = {tensor.name.partition(":")[0] for tensor in list(signature.outputs.values())[:1]}
    for graph, count in picture.drawn[:1]:
        for node in map(graph.nodes.sketch, range(count)):
            if node.name in givers:
                return next((name for name in node.calls if name in picture.graphs), None)
    return None


def _wrapped_graph(name: str, picture: ModelPicture) -> str | None:
    """Return the only graph that a small graph calls, None if it is no wrapper."""
    graph, count = next((graph, count) for graph, count in picture.drawn if graph.name == name)
    if count > _MAX_WRAPPER_NODES:
        return None
    calls = {called: None for node in map(graph.nodes.sketch, range(count)) for called in node.calls}
    return next(iter(calls)) if len(calls) == 1 and picture.graphs.keys() >= calls.keys() else None

"""A SavedModel of TensorFlow 2 as `tf.saved_model.load` takes it: every function is built, objects are restored."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.bundles import checkpoint, checks
from opspec_lint.frameworks.tensorflow.graphs.importer import Importer, Options
from opspec_lint.frameworks.tensorflow.saved import restore
from opspec_lint.models.fault import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.graphs.release import Release
    from opspec_lint.frameworks.tensorflow.saved.folder import SavedModel
    from opspec_lint.models.fault import Effect
    from opspec_lint.models.loader import Asked

_SIGNATURES = "signatures"
_SIGNATURE_MAP = "signature_map"
_NEEDS_FUNCTIONS = 987
"""The graph version of 2.8, which refuses a signature without its concrete function (2.4.4 fails when it is called)."""


def function_faults(meta: Any, release: Release, asked: Asked) -> Iterator[Fault]:
    """Yield what keeps the functions of the library from being built."""
    importer = Importer(meta.graph_def, release, Options(saved_by=asked.saved_by))
    yield from importer.library_faults()
    for name in importer.functions:
        for fault in importer.body_faults(name, is_entered=True):
            is_function = fault.reason == "function_missing"
            yield fault.but(effect="refused") if is_function else fault


def object_faults(meta: Any, release: Release) -> Iterator[Fault]:
    """Yield what of the functions of the object graph is not in the file."""
    objects, graph = meta.object_graph_def, meta.graph_def
    concrete = set(objects.concrete_functions)
    library = {each.signature.name for each in graph.library.function}
    for each in sorted(concrete - library):
        yield _function(each, "refused")
    effect: Effect = "refused" if (release.version or 0) >= _NEEDS_FUNCTIONS else "fails_at_run"
    for node in objects.nodes:
        if node.WhichOneof("kind") == "bare_concrete_function":
            name = node.bare_concrete_function.concrete_function_name
            if name not in concrete:
                yield _object(name, "is a concrete function that the graph of objects does not describe", effect)


def _function(name: str, effect: Effect) -> Fault:
    return Fault(
        event="model_function_missing",
        kind="model",
        op=None,
        name=name,
        effect=effect,
        reason="function_missing",
        facts={"problem": "is a concrete function, but not in the library"},
    )


def _object(name: str, problem: str, effect: Effect) -> Fault:
    return Fault(
        event="model_object_graph",
        kind="model",
        op=None,
        name=name,
        effect=effect,
        reason="object_graph",
        facts={"problem": problem},
    )


def variable_faults(saved: SavedModel, meta: Any, asked: Asked) -> Iterator[Fault]:
    """Yield what keeps the objects from being restored."""
    found, faults = restore.opened(saved.checkpoint)
    yield from faults
    if found is None:
        return
    lost = list(checks.byte_faults(found, checksums=asked.checksums))
    if lost:
        yield from lost
        return
    if checkpoint.OBJECT_GRAPH not in found.entries:
        yield _object(checkpoint.OBJECT_GRAPH, "is not in the checkpoint", "refused")
        return
    wanted = restore.wanted_by_objects(meta, found)
    yield from checks.tensor_faults(found, wanted, at_shape="refused")


def signatures(meta: Any) -> tuple[list[str], Fault | None]:
    """Return the keys of the signatures of the object graph, and why they are of no use, if they are not."""
    nodes = meta.object_graph_def.nodes
    at = next((each.node_id for each in nodes[0].children if each.local_name == _SIGNATURES), None) if nodes else None
    if at is None or not 0 <= at < len(nodes):
        return [], None
    found = nodes[at]
    user = found.user_object
    if found.WhichOneof("kind") == "user_object" and (
        user.identifier != _SIGNATURE_MAP or user.version.min_consumer > 1
    ):
        return [], _object(_SIGNATURES, "is an object that the release does not know", "refused")
    return [each.local_name for each in found.children], None

"""A SavedModel of TensorFlow 2 as `tf.saved_model.load` takes it: every function is built, objects are restored."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint, checks
from opspec_lint.frameworks.tensorflow.saved.graphs.importer import Importer, Options
from opspec_lint.frameworks.tensorflow.saved.graphs.known_ops import known_ops
from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import functions_listed
from opspec_lint.frameworks.tensorflow.saved.saved_model import restore, session
from opspec_lint.models.fault import model_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.release import Release
    from opspec_lint.frameworks.tensorflow.saved.saved_model.folder import SavedModel
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.spec.fact import Effect, Fact

_SIGNATURES = "signatures"
_SIGNATURE_MAP = "signature_map"
_KERAS_OPTIMIZER = "optimizer"
"""The identifier of an optimizer of Keras 2 that has slots."""
LAST_KERAS_2 = 1645
"""The graph version of 2.15, the last release with Keras 2 (measured with 2.15.1, 2.17.1 and 2.18.1)."""
LEGACY_KERAS = (
    "install tf_keras and set TF_USE_LEGACY_KERAS=1, or export the model again without its optimizer "
    "(include_optimizer=False)"
)
_NEEDS_FUNCTIONS = 987
"""The graph version of 2.8, which refuses a signature without its concrete function (2.4.4 fails when it is called)."""


def function_faults(meta: Any, release: Release, asked: LoadOptions) -> Iterator[Fact]:
    """Yield what keeps the functions of the library from being built."""
    written = session.producer_ops(meta, asked)
    options = Options(saved_by=asked.saved_by, writer_ops=written, known=known_ops(asked.released))
    importer = Importer(meta.graph_def, release, options)
    yield from importer.library_faults()
    for name in importer.functions:
        for fault in importer.body_faults(name, is_entered=True):
            is_function = fault.reason == "function_missing"
            yield fault.replace(effect="refused") if is_function else fault
        if not release.finds_functions_of_lists:
            yield from _listed_functions(importer, name)


def _listed_functions(importer: Importer, name: str) -> Iterator[Fact]:
    """Yield the functions that lists in a body name."""
    for node in importer.functions[name].node_def:
        checked = importer.check(node)
        for each in () if checked is None else functions_listed(checked.attrs):
            problem = "is in a list of functions, which the loader of the release does not find"
            yield _function(each, "refused", problem).replace(graph=name, node=node.name, op=node.op)


def object_faults(meta: Any, release: Release) -> Iterator[Fact]:
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


def _function(name: str, effect: Effect, problem: str = "is a concrete function, but not in the library") -> Fact:
    return model_fault("model_function_missing", name, effect, "function_missing", problem=problem)


def _object(name: str, problem: str, effect: Effect) -> Fact:
    return model_fault("model_object_graph", name, effect, "object_graph", problem=problem)


def slot_faults(meta: Any, release: Release) -> Iterator[Fact]:
    """Yield that the slots of an optimizer cannot be restored, which needs an object that adds them.

    Such an object is an optimizer of Keras 2 under a release with Keras 2. An optimizer of TensorFlow 1 is restored as
    an object without methods in every release (measured with 1.15.0 to 2.18.1).
    """
    nodes = meta.object_graph_def.nodes
    for at, node in enumerate(nodes):
        if not node.slot_variables:
            continue
        is_keras = node.user_object.identifier == _KERAS_OPTIMIZER
        if not is_keras or release.version is None or release.version > LAST_KERAS_2:
            name = _name_of(nodes, at)
            if is_keras and release.version is None:
                problem = f"the slots of the optimizer '{name}' are restored by Keras 2 only, up to TensorFlow 2.15"
                yield release.not_judged(name, problem)
            else:
                yield _slots(name, is_keras=is_keras)


def has_slots(meta: Any) -> bool:
    """Tell whether an object of a model has slots."""
    return any(node.slot_variables for node in meta.object_graph_def.nodes)


def _name_of(nodes: Sequence[Any], at: int) -> str:
    """Return the name that the first object has for it which leads to one."""
    names = (child.local_name for node in nodes for child in node.children if child.node_id == at)
    return next(names, "optimizer")


def _slots(name: str, *, is_keras: bool) -> Fact:
    return model_fault(
        "model_optimizer_slots",
        name,
        "refused",
        "optimizer_slots",
        problem="only Keras 2 restores, up to TensorFlow 2.15" if is_keras else "no release restores",
        remedy=LEGACY_KERAS if is_keras else "export the model again without its optimizer",
    )


def variable_faults(saved: SavedModel, meta: Any, asked: LoadOptions) -> Iterator[Fact]:
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


def signatures(meta: Any) -> tuple[list[str], Fact | None]:
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

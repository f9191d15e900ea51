"""The checks of `tf.saved_model.load` for a SavedModel with objects: functions, objects, optimizer slots, variables."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint, checks
from opspec_lint.frameworks.tensorflow.saved.graphs.importer import Importer, ImportOptions
from opspec_lint.frameworks.tensorflow.saved.graphs.known_ops import known_ops
from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import listed_functions
from opspec_lint.frameworks.tensorflow.saved.saved_model import restore, session
from opspec_lint.models.fault import model_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.release import TargetRelease
    from opspec_lint.frameworks.tensorflow.saved.saved_model.folder import SavedModel
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.spec.fact import Effect, Fact

_SIGNATURES = "signatures"
_SIGNATURE_MAP = "signature_map"
_KERAS_OPTIMIZER = "optimizer"
"""The identifier of an optimizer of Keras 2 that has slots."""
LAST_KERAS_2 = 1645
"""The graph version of 2.15, the last release with Keras 2 (measured with 2.15.1, 2.17.1 and 2.18.1)."""
_LAZY_KERAS = 808
"""The graph version of 2.6, which imports Keras when `tf.keras` is first used (measured with 2.5.3 to 2.9.3)."""
_IMPORT_KERAS = "use tf.keras, as in `tf.keras.optimizers.Adam`, before the model is loaded"
LEGACY_KERAS = (
    "install tf_keras and set TF_USE_LEGACY_KERAS=1, or export the model again without its optimizer "
    "(include_optimizer=False)"
)
_NEEDS_FUNCTIONS = 987
"""The graph version of 2.8, which refuses a signature without its concrete function (2.4.4 fails when it is called)."""


def function_faults(meta: Any, release: TargetRelease, load_options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of the functions of the library; the loader builds even functions that nothing calls."""
    writer_ops = session.producer_ops(meta, load_options)
    options = ImportOptions(
        saved_by=load_options.saved_by, writer_ops=writer_ops, known=known_ops(load_options.released)
    )
    importer = Importer(meta.graph_def, release, options)
    yield from importer.library_faults()
    # The main graph and its versions are not checked: this loader does not import it (measured with 1.15.0 to 2.18.1).
    for name in importer.functions:
        for fault in importer.body_faults(name, is_entered=True):
            # An import leaves a missing function to the run; building a function looks it up at once.
            stops_build = fault.reason == "function_missing"
            yield fault.replace(effect="refused") if stops_build else fault
        if not release.resolves_listed_functions:
            yield from _listed_functions(importer, name)


def _listed_functions(importer: Importer, name: str) -> Iterator[Fact]:
    """Yield a fault for each function in a list attr of a body, which older releases do not find."""
    for node in importer.functions[name].node_def:
        checked = importer.check(node)
        if checked is None:
            continue
        for function in listed_functions(checked.attrs):
            problem = "is in a list of functions, which the loader of the release does not find"
            yield _function_fault(function, "refused", problem).replace(graph=name, node=node.name, op=node.op)


def object_faults(meta: Any, release: TargetRelease) -> Iterator[Fact]:
    """Yield concrete functions that the library lacks, and bare ones that the object graph does not describe."""
    objects, graph = meta.object_graph_def, meta.graph_def
    concrete = set(objects.concrete_functions)
    library = {function.signature.name for function in graph.library.function}
    for function in sorted(concrete - library):
        yield _function_fault(function, "refused")
    effect: Effect = "refused" if (release.version or 0) >= _NEEDS_FUNCTIONS else "fails_at_run"
    for node in objects.nodes:
        if node.WhichOneof("kind") == "bare_concrete_function":
            name = node.bare_concrete_function.concrete_function_name
            if name not in concrete:
                yield _object_fault(name, "is a concrete function that the graph of objects does not describe", effect)


def _function_fault(name: str, effect: Effect, problem: str = "is a concrete function, but not in the library") -> Fact:
    return model_fault("model_function_missing", name, effect, "function_missing", problem=problem)


def _object_fault(name: str, problem: str, effect: Effect) -> Fact:
    return model_fault("model_object_graph", name, effect, "object_graph", problem=problem)


def slot_faults(meta: Any, release: TargetRelease, *, has_keras: bool) -> Iterator[Fact]:
    """Yield optimizers whose slot variables cannot be restored, since their object lacks the method that adds slots.

    Only Keras 2 restores its optimizers with methods. An optimizer of TensorFlow 1 is restored as an object without
    methods in every release (measured with 1.15.0 to 2.18.1). `has_keras`: the loader imports Keras first.
    """
    nodes = meta.object_graph_def.nodes
    for at, node in enumerate(nodes):
        if not node.slot_variables:
            continue
        is_keras = node.user_object.identifier == _KERAS_OPTIMIZER
        if not is_keras or release.version is None or release.version > LAST_KERAS_2:
            name = _object_name(nodes, at)
            if is_keras and release.version is None:
                problem = f"the slots of the optimizer '{name}' are restored by Keras 2 only, up to TensorFlow 2.15"
                yield release.not_judged(name, problem)
            elif is_keras:
                yield _slots_fault(name, "only Keras 2 restores, up to TensorFlow 2.15", LEGACY_KERAS)
            else:
                yield _slots_fault(name, "no release restores", "export the model again without its optimizer")
        elif release.version == _LAZY_KERAS and not has_keras:
            problem = "TensorFlow 2.6 restores only once its Keras is imported"
            yield _slots_fault(_object_name(nodes, at), problem, _IMPORT_KERAS)


def has_slots(meta: Any) -> bool:
    """Return whether an object of a meta graph has slot variables."""
    return any(node.slot_variables for node in meta.object_graph_def.nodes)


def _object_name(nodes: Sequence[Any], at: int) -> str:
    """Return the name of an object as the first object that has it as a child calls it."""
    names = (child.local_name for node in nodes for child in node.children if child.node_id == at)
    return next(names, "optimizer")


def _slots_fault(name: str, problem: str, remedy: str) -> Fact:
    """Return the fault that an optimizer cannot be restored."""
    return model_fault("model_optimizer_slots", name, "refused", "optimizer_slots", problem=problem, remedy=remedy)


def variable_faults(saved: SavedModel, meta: Any, load_options: LoadOptions) -> Iterator[Fact]:
    """Yield the reasons why the variables of the objects cannot be restored from the checkpoint."""
    variables, faults = restore.open_checkpoint(saved.checkpoint)
    yield from faults
    if variables is None:
        return
    lost = list(checks.byte_faults(variables, checksums=load_options.checksums))
    if lost:
        yield from lost
        return
    if checkpoint.OBJECT_GRAPH not in variables.entries:
        yield _object_fault(checkpoint.OBJECT_GRAPH, "is not in the checkpoint", "refused")
        return
    expected = restore.tensors_of_objects(meta, variables)
    yield from checks.tensor_faults(variables, expected, at_shape="refused")


def signature_keys(meta: Any) -> tuple[list[str], Fact | None]:
    """Return the keys of the signatures in the object graph, or the fault that the release does not know its type."""
    nodes = meta.object_graph_def.nodes
    if not nodes:
        return [], None
    root = nodes[0]
    at = next((child.node_id for child in root.children if child.local_name == _SIGNATURES), -1)
    if not 0 <= at < len(nodes):
        return [], None
    signature_map = nodes[at]
    user = signature_map.user_object
    if signature_map.WhichOneof("kind") == "user_object" and (
        user.identifier != _SIGNATURE_MAP or user.version.min_consumer > 1
    ):
        # A user object of an unknown type or version is restored as a generic object, without the methods of the map.
        return [], _object_fault(_SIGNATURES, "is an object that the release does not know", "refused")
    return [child.local_name for child in signature_map.children], None

"""The checks of loading a meta graph into a session: import of its graph, and restoring by its restore ops."""

from __future__ import annotations

from itertools import chain
from operator import is_

from opspec_lint.frameworks.tensorflow.extract import op_lists
from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint, checks
from opspec_lint.frameworks.tensorflow.saved.graphs import devices
from opspec_lint.frameworks.tensorflow.saved.graphs.importer import Importer, ImportOptions
from opspec_lint.frameworks.tensorflow.saved.graphs.known_ops import known_ops
from opspec_lint.frameworks.tensorflow.saved.saved_model import restore
from opspec_lint.frameworks.tensorflow.saved.saved_model.written_by import version_faults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.checkpoints.checkpoint import Checkpoint
    from opspec_lint.frameworks.tensorflow.saved.graphs.metas import StoredMeta
    from opspec_lint.frameworks.tensorflow.saved.graphs.release import TargetRelease
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Tensor
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_MAX_CACHED = 1000
"""Faults of an import up to which they are cached for the next loader of the same release."""

_VARIABLES = ("variables", "saveable_objects")
"""Collections for which TensorFlow makes a saver where a meta graph has none (`_all_saveable_objects`)."""
_INITIALIZER = "__saved_model_init_op"
"""The signature whose op the loader runs, in place of one of these collections (`get_init_op` of loader_impl.py)."""
_INITIALIZERS = ("saved_model_main_op", "legacy_init_op")


def producer_ops(meta: Any, load_options: LoadOptions) -> Spec | None:
    """Return the ops of the release that wrote a meta graph: as given by the user, or the op list stored in it."""
    if load_options.producer_ops is not None:
        return load_options.producer_ops
    carried = meta.meta_info_def.stripped_op_list
    named = [op for op in carried.op if op.name]
    return op_lists.spec_of(carried, "stripped_op_list") if named and len(named) == len(carried.op) else None


def import_faults(meta: StoredMeta, release: TargetRelease, load_options: LoadOptions) -> Iterable[Fact]:
    """Return the faults of importing the graph of a meta graph, cached in it for the next loader.

    The first time, they are an iterator; the cache is filled once it ends.
    """
    # `saved_model.load` and the loader of TensorFlow 1 import the same graph; only these arguments affect the faults.
    key = release, load_options.producer_ops, load_options.saved_by
    if meta.cached_import is not None:
        cached_key, cached_faults = meta.cached_import
        if all(map(is_, cached_key, key)):
            return cached_faults
    written = producer_ops(meta, load_options)
    options = ImportOptions(
        producer_ops=written,
        saved_by=load_options.saved_by,
        writer_ops=written,
        in_functions="fails_at_run",
        known=known_ops(load_options.released),
    )
    faults = chain(Importer(meta.graph_def, release, options).faults(), version_faults(meta, release))
    return _cache_faults(meta, key, faults)


def loaded_faults(meta: StoredMeta, release: TargetRelease, load_options: LoadOptions, *, runs: bool) -> Iterator[Fact]:
    """Yield the faults of importing a graph, and of placing its nodes if loading `runs` the session."""
    faults = import_faults(meta, release, load_options)
    if not runs:
        yield from faults
        return
    for fault in faults:
        if not devices.is_elsewhere(fault):
            yield fault
    yield from devices.placement_faults(meta.graph_def.node)


def has_saver(meta: StoredMeta) -> bool:
    """Return whether importing a meta graph returns a saver: the stored one, or one that is made for its variables."""
    return meta.HasField("saver_def") or bool(_filled(meta, _VARIABLES))


def runs_when_loaded(meta: StoredMeta) -> bool:
    """Return whether a session loads a meta graph by a run: one that restores variables, or initializes tables."""
    return has_saver(meta) or _INITIALIZER in meta.signature_def or bool(_filled(meta, _INITIALIZERS))


def _filled(meta: StoredMeta, names: Iterable[str]) -> list[str]:
    return [name for name in names if name in meta.collection_def]


def _cache_faults(meta: StoredMeta, key: tuple[Any, ...], faults: Iterable[Fact]) -> Iterator[Fact]:
    """Yield faults, and cache them once the last one was consumed, unless there are too many."""
    kept: list[Fact] = []
    for fault in faults:
        if len(kept) <= _MAX_CACHED:
            kept.append(fault)
        yield fault
    if len(kept) <= _MAX_CACHED:
        meta.cached_import = key, kept


def restore_faults(meta: Any, read: Callable[[], Checkpoint], load_options: LoadOptions) -> Iterator[Fact]:
    """Yield the tensors that the restore ops of a meta graph do not find in its checkpoint."""
    saved, faults = restore.open_checkpoint(read)
    yield from faults
    if saved is None:
        return
    lost = list(checks.byte_faults(saved, checksums=load_options.checksums))
    if lost:
        yield from lost
        return
    restored = restore.tensors_of_restore_ops(meta.graph_def, _restore_functions(meta))
    shapes = restore.variable_shapes(meta)
    names = checkpoint.keys_by_full_name(saved)
    by_key = {key: name for name, key in names.items()}
    keyed = [
        _with_checkpoint_key(tensor, names, saved).replace(shape=shapes.get(by_key.get(tensor.name, tensor.name)))
        for tensor in restored
    ]
    # RestoreV2 does not know shapes: a variable gets another one, and the graph fails, or not, when it runs.
    for fault in checks.tensor_faults(saved, keyed, at_shape="fails_at_run"):
        is_objects = fault.name == checkpoint.OBJECT_GRAPH
        yield fault.replace(event="model_object_graph", reason="object_graph") if is_objects else fault


def _with_checkpoint_key(tensor: Tensor, names: dict[str, str], saved: Checkpoint) -> Tensor:
    """Return a tensor with its key in an object-based checkpoint, which is found by its name in the graph."""
    if tensor.name in saved.entries or tensor.name not in names:
        return tensor
    return tensor.replace(name=names[tensor.name])


def _restore_functions(meta: Any) -> list[Any]:
    """Return the library functions that the restore op of the saver calls, directly or not."""
    functions = {function.signature.name: function for function in meta.graph_def.library.function}
    name = meta.saver_def.restore_op_name
    node = next((node for node in meta.graph_def.node.mentioning((name,)) if node.name == name), None)
    reached: dict[str, Any] = {}
    waiting = [] if node is None else [[node]]
    while waiting:
        for caller in waiting.pop():
            for called in _called_functions(caller):
                if called in functions and called not in reached:
                    reached[called] = functions[called]
                    waiting.append(functions[called].node_def)
    return list(reached.values())


def _called_functions(node: Any) -> list[str]:
    """Return the names that a node may call: its op, and the functions in its attrs."""
    from opspec_lint.frameworks.tensorflow.saved.graphs import attrs, nodes

    return [node.op, *nodes.named_functions(attrs.read(attrs.strip_tensors(node.attr)))]

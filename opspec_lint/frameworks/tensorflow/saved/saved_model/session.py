"""A meta graph taken into a session: its graph imported, its variables restored by its own restore ops."""

from __future__ import annotations

from itertools import chain
from operator import is_

from opspec_lint.frameworks.tensorflow.extract import op_lists
from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint, checks
from opspec_lint.frameworks.tensorflow.saved.graphs.importer import Importer, Options
from opspec_lint.frameworks.tensorflow.saved.graphs.known_ops import known_ops
from opspec_lint.frameworks.tensorflow.saved.saved_model import restore
from opspec_lint.frameworks.tensorflow.saved.saved_model.written_by import version_faults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.checkpoints.checkpoint import Checkpoint
    from opspec_lint.frameworks.tensorflow.saved.graphs.metas import StoredMeta
    from opspec_lint.frameworks.tensorflow.saved.graphs.release import Release
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Tensor
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_MOST = 1000
"""Faults of an import that are kept for another loader of the same release."""


def producer_ops(meta: Any, asked: LoadOptions) -> Spec | None:
    """Return the declarations of the release that wrote a meta graph: those asked for, or those that it carries."""
    if asked.producer_ops is not None:
        return asked.producer_ops
    carried = meta.meta_info_def.stripped_op_list
    named = [each for each in carried.op if each.name]
    return op_lists.spec_of(carried, "stripped_op_list") if named and len(named) == len(carried.op) else None


def import_faults(meta: StoredMeta, release: Release, asked: LoadOptions) -> Iterable[Fact]:
    """Return the faults that stop the import of a meta graph's graph; for a second loader, it is not looked for."""
    key = release, asked.producer_ops, asked.saved_by
    if meta.imported is not None and all(map(is_, meta.imported[0], key)):
        return meta.imported[1]
    written = producer_ops(meta, asked)
    options = Options(
        producer_ops=written,
        saved_by=asked.saved_by,
        writer_ops=written,
        in_functions="fails_at_run",
        known=known_ops(asked.released),
    )
    faults = chain(Importer(meta.graph_def, release, options).faults(), version_faults(meta, release))
    return _kept(meta, key, faults)


def _kept(meta: StoredMeta, key: tuple[Any, ...], faults: Iterable[Fact]) -> Iterator[Fact]:
    """Yield faults, and keep them when all were looked at, if they are not too many."""
    found: list[Fact] = []
    for fault in faults:
        if len(found) <= _MOST:
            found.append(fault)
        yield fault
    if len(found) <= _MOST:
        meta.imported = key, found


def restore_faults(meta: Any, read: Callable[[], Checkpoint], asked: LoadOptions) -> Iterator[Fact]:
    """Yield what the restore ops of a meta graph do not find in its checkpoint."""
    saved, faults = restore.opened(read)
    yield from faults
    if saved is None:
        return
    lost = list(checks.byte_faults(saved, checksums=asked.checksums))
    if lost:
        yield from lost
        return
    wanted = restore.wanted_by_ops(meta.graph_def, _restoring(meta))
    shapes = restore.variable_shapes(meta)
    names = checkpoint.full_names(saved)
    by_key = {key: name for name, key in names.items()}
    keyed = [_keyed(each, names, saved).replace(shape=shapes.get(by_key.get(each.name, each.name))) for each in wanted]
    for fault in checks.tensor_faults(saved, keyed, at_shape="fails_at_run"):
        is_objects = fault.name == checkpoint.OBJECT_GRAPH
        yield fault.replace(event="model_object_graph", reason="object_graph") if is_objects else fault


def _keyed(wanted: Tensor, names: dict[str, str], saved: Checkpoint) -> Tensor:
    """Return a tensor by its key: an object-based checkpoint is found by the names that its variables had."""
    if wanted.name in saved.entries or wanted.name not in names:
        return wanted
    return wanted.replace(name=names[wanted.name])


def _restoring(meta: Any) -> list[Any]:
    """Return the functions that the saver's restore op reaches."""
    functions = {each.signature.name: each for each in meta.graph_def.library.function}
    name = meta.saver_def.restore_op_name
    node = next((each for each in meta.graph_def.node.with_any((name,)) if each.name == name), None)
    found: dict[str, Any] = {}
    waiting = [] if node is None else [[node]]
    while waiting:
        for each in waiting.pop():
            for called in _called(each):
                if called in functions and called not in found:
                    found[called] = functions[called]
                    waiting.append(functions[called].node_def)
    return list(found.values())


def _called(node: Any) -> list[str]:
    from opspec_lint.frameworks.tensorflow.saved.graphs import attrs, nodes

    return [node.op, *nodes.functions_named(attrs.read(attrs.short(node.attr)))]

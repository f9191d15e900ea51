"""The loader `tf.saved_model.load`: loads a SavedModel as objects and functions."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs.release import target_release
from opspec_lint.frameworks.tensorflow.saved.saved_model import (
    assets_and_signatures,
    choice,
    objects,
    session,
    signature_functions,
)
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.saved_model.folder import SavedModel
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def audit(
    model: Model[SavedModel], spec: Spec, load_options: LoadOptions, *, has_keras: bool = False
) -> Iterator[Fact]:
    """Yield the faults of loading a SavedModel as objects, and of the first call of a function.

    `has_keras`: Keras is imported before the model is loaded.
    """
    saved = model.content
    saved.require_known_to(target_release(spec).version)
    metas = saved.meta_graphs
    only = metas[0] if len(metas) == 1 else None
    meta = only if load_options.tags is None else choice.meta_graph_with_tags(saved, load_options.tags)
    if meta is None:
        yield choice.tags_fault(saved, load_options.tags)
    elif saved.is_version_2:
        yield from _audit_objects(saved, meta, spec, load_options, has_keras=has_keras)
    else:
        yield from _audit_graph(saved, meta, spec, load_options)


def _audit_objects(
    saved: SavedModel, meta: Any, spec: Spec, load_options: LoadOptions, *, has_keras: bool
) -> Iterator[Fact]:
    """Yield the faults of a model with an object graph, whose objects and functions are created again."""
    release = target_release(spec)
    yield from objects.function_faults(meta, release, load_options)
    yield from objects.object_faults(meta, release)
    yield from objects.slot_faults(meta, release, has_keras=has_keras)
    yield from objects.variable_faults(saved, meta, load_options)
    yield from assets_and_signatures.asset_faults(saved, meta)
    if load_options.signature is not None:
        known, fault = objects.signature_keys(meta)
        if fault is not None:
            yield fault
        elif load_options.signature not in known:
            yield assets_and_signatures.missing_signature_fault(load_options.signature, known)


def _audit_graph(saved: SavedModel, meta: Any, spec: Spec, load_options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of a model without objects: its graph is imported and pruned to each signature."""
    yield from session.import_faults(meta, target_release(spec), load_options)
    # Without a saver there is nothing that could restore variables, and loading goes on.
    if meta.HasField("saver_def"):
        yield from session.restore_faults(meta, saved.checkpoint, load_options)
    yield from assets_and_signatures.asset_faults(saved, meta)
    if load_options.signature is not None and load_options.signature not in meta.signature_def:
        yield assets_and_signatures.missing_signature_fault(load_options.signature, list(meta.signature_def))
    # Pruning needs the tensors of every signature, not only of the one that is called.
    yield from assets_and_signatures.signature_faults(meta, "refused")
    yield from signature_functions.recreation_faults(meta, target_release(spec))
    yield from signature_functions.reference_faults(meta, target_release(spec))


LOADER = Loader(
    summary="tf.saved_model.load, for a SavedModel as objects",
    formats=("saved_model",),
    audit=audit,
)

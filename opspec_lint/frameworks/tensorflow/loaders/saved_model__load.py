"""`tf.saved_model.load`: a SavedModel as objects and functions."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs.release import release_of
from opspec_lint.frameworks.tensorflow.saved.saved_model import (
    choice,
    objects,
    session,
    signature_functions,
    surroundings,
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


def audit(model: Model[SavedModel], spec: Spec, asked: LoadOptions) -> Iterator[Fact]:
    """Yield what loading as objects stumbles over, and what the first call does."""
    saved = model.content
    saved.require_known_to(release_of(spec).version)
    metas = saved.meta_graphs
    only = metas[0] if len(metas) == 1 else None
    meta = only if asked.tags is None else choice.tagged(saved, asked.tags)
    if meta is None:
        yield choice.fault(saved, asked.tags)
    elif saved.is_version_2:
        yield from _of_objects(saved, meta, spec, asked)
    else:
        yield from _of_graph(saved, meta, spec, asked)


def _of_objects(saved: SavedModel, meta: Any, spec: Spec, asked: LoadOptions) -> Iterator[Fact]:
    release = release_of(spec)
    yield from objects.function_faults(meta, release, asked)
    yield from objects.object_faults(meta, release)
    yield from objects.slot_faults(meta, release)
    yield from objects.variable_faults(saved, meta, asked)
    yield from surroundings.asset_faults(saved, meta)
    if asked.signature is not None:
        known, fault = objects.signatures(meta)
        if fault is not None:
            yield fault
        elif asked.signature not in known:
            yield surroundings.absent_signature(asked.signature, known)


def _of_graph(saved: SavedModel, meta: Any, spec: Spec, asked: LoadOptions) -> Iterator[Fact]:
    """Yield the same of a model without objects: its graph is imported, and its signatures pruned from it."""
    yield from session.import_faults(meta, release_of(spec), asked)
    if meta.HasField("saver_def"):
        yield from session.restore_faults(meta, saved.checkpoint, asked)
    yield from surroundings.asset_faults(saved, meta)
    if asked.signature is not None and asked.signature not in meta.signature_def:
        yield surroundings.absent_signature(asked.signature, list(meta.signature_def))
    yield from surroundings.signature_faults(meta, "refused")
    yield from signature_functions.reference_faults(meta, release_of(spec))


LOADER = Loader(
    summary="tf.saved_model.load, for a SavedModel as objects",
    formats=("saved_model",),
    audit=audit,
)

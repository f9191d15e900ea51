"""The loader `tf.compat.v1.saved_model.loader.load`: loads a SavedModel into a session."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs.release import target_release
from opspec_lint.frameworks.tensorflow.saved.saved_model import assets_and_signatures, choice, session
from opspec_lint.models.fault import model_fault
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

_DEFAULT_TAGS = ("serve",)
"""The tags that are assumed if the user gives none and there are several meta graphs."""


def audit(model: Model[SavedModel], spec: Spec, load_options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of loading a SavedModel into a session, and of the first run."""
    saved = model.content
    saved.require_known_to(target_release(spec).version)
    metas = saved.meta_graphs
    if load_options.tags is None:
        meta = metas[0] if len(metas) == 1 else choice.meta_graph_with_tags(saved, _DEFAULT_TAGS)
    else:
        meta = choice.meta_graph_with_tags(saved, load_options.tags)
    if meta is None:
        yield choice.tags_fault(saved, load_options.tags)
        return
    runs = session.runs_when_loaded(meta)
    yield from session.loaded_faults(meta, target_release(spec), load_options, runs=runs)
    yield from variable_faults(saved, meta, load_options)
    yield from assets_and_signatures.asset_faults(saved, meta)
    if load_options.signature is not None and load_options.signature not in meta.signature_def:
        yield assets_and_signatures.missing_signature_fault(load_options.signature, list(meta.signature_def))
    # This loader returns the SignatureDefs unchecked; a missing tensor shows when a caller fetches it.
    yield from assets_and_signatures.signature_faults(meta, "fails_at_run")


def variable_faults(saved: SavedModel, meta: Any, load_options: LoadOptions) -> Iterator[Fact]:
    """Yield the reasons why the variables of a meta graph are not restored or not initialized."""
    if meta.HasField("saver_def"):
        yield from session.restore_faults(meta, saved.checkpoint, load_options)
    elif saved.is_version_2 and any(node.WhichOneof("kind") == "variable" for node in meta.object_graph_def.nodes):
        # The loader calls the saver only if there is one: without, loading succeeds, and a run fails.
        yield model_fault("model_uninitialized", "saver_def", "fails_at_run", "uninitialized")


LOADER = Loader(
    summary="tf.compat.v1.saved_model.loader.load, for a SavedModel in a session",
    formats=("saved_model",),
    audit=audit,
)

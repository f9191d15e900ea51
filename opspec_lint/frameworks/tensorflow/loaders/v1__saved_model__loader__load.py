"""`tf.compat.v1.saved_model.loader.load`: a SavedModel into a session."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs.release import release_of
from opspec_lint.frameworks.tensorflow.saved.saved_model import choice, session, surroundings
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

_USUAL = ("serve",)
"""What is taken where the caller names no tags and there are several meta graphs."""


def audit(model: Model[SavedModel], spec: Spec, asked: LoadOptions) -> Iterator[Fact]:
    """Yield what loading into a session stumbles over, and what the first run does."""
    saved = model.content
    saved.require_known_to(release_of(spec).version)
    metas = saved.meta_graphs
    if asked.tags is None:
        meta = metas[0] if len(metas) == 1 else choice.tagged(saved, _USUAL)
    else:
        meta = choice.tagged(saved, asked.tags)
    if meta is None:
        yield choice.fault(saved, asked.tags)
        return
    yield from session.import_faults(meta, release_of(spec), asked)
    yield from variable_faults(saved, meta, asked)
    yield from surroundings.asset_faults(saved, meta)
    if asked.signature is not None and asked.signature not in meta.signature_def:
        yield surroundings.absent_signature(asked.signature, list(meta.signature_def))
    yield from surroundings.signature_faults(meta, "fails_at_run")


def variable_faults(saved: SavedModel, meta: Any, asked: LoadOptions) -> Iterator[Fact]:
    """Yield what keeps the variables of a meta graph from being restored."""
    if meta.HasField("saver_def"):
        yield from session.restore_faults(meta, saved.checkpoint, asked)
    elif saved.is_version_2 and any(each.WhichOneof("kind") == "variable" for each in meta.object_graph_def.nodes):
        yield model_fault("model_uninitialized", "saver_def", "fails_at_run", "uninitialized")


LOADER = Loader(
    summary="tf.compat.v1.saved_model.loader.load, for a SavedModel in a session",
    formats=("saved_model",),
    audit=audit,
)

"""The loader `tf.compat.v1.train.import_meta_graph`: imports NAME.meta, and restores the checkpoint NAME."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint
from opspec_lint.frameworks.tensorflow.saved.graphs.release import target_release
from opspec_lint.frameworks.tensorflow.saved.saved_model import session
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.tensorflow.saved.graphs.metas import StoredMeta
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_SUFFIX = ".meta"


def audit(model: Model[StoredMeta], spec: Spec, load_options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of importing the graph, and of restoring the checkpoint with the same name, if there is one."""
    meta = model.content
    prefix = model.file.removesuffix(_SUFFIX)
    restores = prefix != model.file and bool(checkpoint.find_files(prefix))
    yield from session.loaded_faults(
        meta, target_release(spec), load_options, runs=restores and session.has_saver(meta)
    )
    if restores:
        yield from session.restore_faults(meta, lambda: checkpoint.read(prefix), load_options)


LOADER = Loader(
    summary="tf.compat.v1.train.import_meta_graph, for NAME.meta and the checkpoint next to it",
    formats=("meta_graph",),
    audit=audit,
)

"""`tf.compat.v1.train.import_meta_graph`, and restoring the checkpoint that lies beside the file."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint
from opspec_lint.frameworks.tensorflow.saved.graphs.release import release_of
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


def audit(model: Model[StoredMeta], spec: Spec, asked: LoadOptions) -> Iterator[Fact]:
    """Yield what importing the graph stumbles over, and what is not in the checkpoint beside it, if there is one."""
    meta = model.content
    yield from session.import_faults(meta, release_of(spec), asked)
    prefix = model.file.removesuffix(_SUFFIX)
    if prefix != model.file and checkpoint.files(prefix):
        yield from session.restore_faults(meta, lambda: checkpoint.read(prefix), asked)


LOADER = Loader(
    summary="tf.compat.v1.train.import_meta_graph, for NAME.meta and the checkpoint next to it",
    formats=("meta_graph",),
    audit=audit,
)

"""`tf.import_graph_def`: a GraphDef as it is, frozen or not."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs.importer import Importer, Options
from opspec_lint.frameworks.tensorflow.saved.graphs.known_ops import known_ops
from opspec_lint.frameworks.tensorflow.saved.graphs.release import release_of
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def audit(model: Model[StoredGraph], spec: Spec, asked: LoadOptions) -> Iterator[Fact]:
    """Yield what the import of a GraphDef stumbles over."""
    options = Options(
        producer_ops=asked.producer_ops,
        saved_by=asked.saved_by,
        writer_ops=asked.producer_ops,
        in_functions="fails_at_run",
        known=known_ops(asked.released),
    )
    return Importer(model.content, release_of(spec), options).faults()


LOADER = Loader(
    summary="tf.import_graph_def, for a GraphDef",
    formats=("graph_def",),
    audit=audit,
)

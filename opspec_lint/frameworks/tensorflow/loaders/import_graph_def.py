"""The loader `tf.import_graph_def`: imports a GraphDef, frozen or not."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs.importer import Importer, ImportOptions
from opspec_lint.frameworks.tensorflow.saved.graphs.known_ops import known_ops
from opspec_lint.frameworks.tensorflow.saved.graphs.release import target_release
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.tensorflow.saved.graphs.stored import StoredGraph
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def audit(model: Model[StoredGraph], spec: Spec, load_options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of importing a GraphDef into the release of a spec."""
    options = ImportOptions(
        producer_ops=load_options.producer_ops,
        saved_by=load_options.saved_by,
        writer_ops=load_options.producer_ops,
        in_functions="fails_at_run",
        known=known_ops(load_options.released),
    )
    return Importer(model.content, target_release(spec), options).faults()


LOADER = Loader(
    summary="tf.import_graph_def, for a GraphDef",
    formats=("graph_def",),
    audit=audit,
)

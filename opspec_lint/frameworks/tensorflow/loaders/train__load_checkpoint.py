"""The loader `tf.train.load_checkpoint`: reads the tensors of a checkpoint without a graph."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.checkpoints import checks
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.tensorflow.saved.checkpoints.checkpoint import Checkpoint
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def audit(model: Model[Checkpoint], spec: Spec, load_options: LoadOptions) -> Iterator[Fact]:  # noqa: ARG001 - no op is looked at
    """Yield the faults of reading all tensors of a checkpoint."""
    return checks.byte_faults(model.content, checksums=load_options.checksums)


LOADER = Loader(
    summary="tf.train.load_checkpoint, for a checkpoint V1 or V2",
    formats=("tensorflow_checkpoint",),
    audit=audit,
)

"""The writer of a SavedModel with one op, as a builder of TensorFlow 1 saves it: its graph and the op list."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract import op_defs
from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.writers.graph_def import build_graph, candidate_values
from opspec_lint.proof.writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.proof.sample import Sample
    from opspec_lint.spec.model import Spec

_SCHEMA = 1
"""The version of the schema, which no loader checks."""
TAG = "serve"
"""The tag of the only meta graph."""


def write(sample: Sample, spec: Spec) -> bytes:
    """Return the bytes of `saved_model.pb` of a sample, which has no variables."""
    saved = message("SavedModel")(saved_model_schema_version=_SCHEMA)
    meta = saved.meta_graphs.add(graph_def=build_graph(sample, spec))
    info = meta.meta_info_def
    info.tags.append(TAG)
    info.stripped_default_attrs = True  # samples leave out attrs at their defaults
    info.tensorflow_version = spec.provenance.version or ""
    for name in sorted({node.op for node in meta.graph_def.node}):
        op = sample.op if name == sample.op.name else spec.ops.get(name)
        if op is not None:
            info.stripped_op_list.op.add().MergeFromString(op_defs.write(op).SerializeToString(deterministic=True))
    return bytes(saved.SerializeToString(deterministic=True))


WRITER = Writer(
    summary="a SavedModel of TensorFlow 1",
    format="saved_model",
    suffix="/saved_model.pb",
    write=write,
    values=candidate_values,
    writes_defaults=False,
)

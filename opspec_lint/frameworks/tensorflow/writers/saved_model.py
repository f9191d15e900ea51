"""Writes the SavedModel of one op, as a Builder of TensorFlow 1 does: its graph, and the declarations that it is of."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract import op_defs
from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.writers.graph_def import graph, values_of
from opspec_lint.proof.writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.proof.sample import Sample
    from opspec_lint.spec.model import Spec

_SCHEMA = 1
"""The version of the schema, at which no loader looks."""
TAG = "serve"
"""The tag of the one graph."""


def write(sample: Sample, spec: Spec) -> bytes:
    """Return the bytes of a sample's `saved_model.pb`; there are no variables beside it.

    Raises:
        UnwritableError: an attr cannot hold its value, or the op takes too many tensors.
    """
    saved = message("SavedModel")(saved_model_schema_version=_SCHEMA)
    meta = saved.meta_graphs.add(graph_def=graph(sample, spec))
    about = meta.meta_info_def
    about.tags.append(TAG)
    about.stripped_default_attrs = True
    about.tensorflow_version = spec.provenance.version or ""
    for name in sorted({node.op for node in meta.graph_def.node}):
        op = sample.op if name == sample.op.name else spec.ops.get(name)
        if op is not None:
            about.stripped_op_list.op.add().MergeFromString(op_defs.write(op).SerializeToString(deterministic=True))
    return bytes(saved.SerializeToString(deterministic=True))


WRITER = Writer(
    summary="a SavedModel of TensorFlow 1",
    format="saved_model",
    suffix="/saved_model.pb",
    write=write,
    values=values_of,
    writes_defaults=False,
)

"""The prover `tf.compat.v1.saved_model.loader.load`, which loads a SavedModel with the op in question."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.provers.import_graph_def import PROVER as OF_GRAPHS
from opspec_lint.interpreters.runner import read_probe

PROVER = OF_GRAPHS.replace(
    summary="tf.compat.v1.saved_model.loader.load of a SavedModel",
    writer="saved_model",
    probe=lambda: f"{OF_GRAPHS.probe()}\n{read_probe(__file__, '_saved_model.py')}",
    is_default=False,
)

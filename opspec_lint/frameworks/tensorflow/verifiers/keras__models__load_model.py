"""The verifier that loads models by `tf.keras.models.load_model`."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.provers.import_graph_def import PROVER
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.verifier import Verifier

VERIFIER = Verifier(
    package=PROVER.package,
    probe=lambda: f"{read_probe(__file__, '_calls.py')}\nload_path = keras__models__load_model",
)

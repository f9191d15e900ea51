"""The verifier that creates a `tf.lite.Interpreter`, of LiteRT, the TFLite runtime or TensorFlow."""

# ruff: noqa: N999 - the loader is called as its class is
from __future__ import annotations

from opspec_lint.frameworks.tflite.provers.tflite__Interpreter import PROVER
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.verifier import Verifier

VERIFIER = Verifier(
    package=PROVER.package,
    probe=lambda: f"{PROVER.probe()}\n{read_probe(__file__, '_path.py')}",
)

"""Proves by `tf.lite.Interpreter`, of LiteRT, the TFLite runtime or TensorFlow."""

# ruff: noqa: N999 - the loader is called as its class is
from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import probe_beside
from opspec_lint.proof.prover import Prover

PROVER = Prover(
    summary="Interpreter(model_content=...) of a TFLite model",
    package=Package(title="TFLite runtime", name="tensorflow", requirement="ai-edge-litert"),
    writer="tflite",
    told=lambda error: " ".join(error.split()),
    not_shown={
        "reference_kernel_": "a runtime loads models with its optimized kernels, unless it is told otherwise",
        "converter_": "it is about what a converter writes",
        "delegate_": "a delegate takes an op or leaves it to the runtime, once the model is loaded",
        "parameter_": "it is about how the sources treat an option",
        "runtime_row_": "it is about a table of the converter",
    },
    probe=lambda: probe_beside(__file__, "_interpreter.py"),
)

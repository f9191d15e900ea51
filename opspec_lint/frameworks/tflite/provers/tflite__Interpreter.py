"""The prover that creates a `tf.lite.Interpreter`, of LiteRT, the TFLite runtime or TensorFlow."""

# ruff: noqa: N999 - the loader is called as its class is
from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.prover import Prover

_REFERENCE = "a runtime loads models with its optimized kernels, unless it is told otherwise"
_CONVERTER = "it is about what a converter writes"
_OPTION = "it is about how the sources treat an option"
_TABLE = "it is about a table of the converter"

PROVER = Prover(
    summary="Interpreter(model_content=...) of a TFLite model",
    package=Package(title="TFLite runtime", name="tensorflow", requirement="ai-edge-litert"),
    writer="tflite",
    error_summary=lambda error: " ".join(error.split()),
    not_shown={
        "reference_kernel_behind": _REFERENCE,
        "reference_kernel_lost": _REFERENCE,
        "converter_version_lost": _CONVERTER,
        "converter_version_refused": _CONVERTER,
        "delegate_unchecked": "a delegate takes an op or leaves it to the runtime, once the model is loaded",
        "parameter_read": _OPTION,
        "parameter_stored": _OPTION,
        "parameter_unread": _OPTION,
        "parameter_unstored": _OPTION,
        "parameter_unversioned": _OPTION,
        "parameter_version_untrue": _OPTION,
        "runtime_row_changed": _TABLE,
        "runtime_row_missing": _TABLE,
        "runtime_row_refuted": _TABLE,
        "runtime_row_removed": _TABLE,
        "runtime_row_too_old": _TABLE,
        "runtime_row_without_kernel": _TABLE,
    },
    probe=lambda: read_probe(__file__, "_interpreter.py"),
)

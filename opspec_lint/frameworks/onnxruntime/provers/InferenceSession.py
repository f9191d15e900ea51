"""The prover that confirms findings by `onnxruntime.InferenceSession` on the CPU."""

# ruff: noqa: N999 - the loader is called as its class is
from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.prover import Prover

_NAMES = "a model does not name the arguments of its ops"

PROVER = Prover(
    summary="a session of an ONNX model on the CPU",
    package=Package(title="ONNX Runtime", name="onnxruntime", requirement="onnxruntime"),
    writer="onnx_model",
    is_default=True,
    error_summary=lambda error: " ".join(error.split()),
    not_shown={"input_renamed": _NAMES, "output_renamed": _NAMES, "argument_order_changed": _NAMES},
    probe=lambda: read_probe(__file__, "_session.py"),
)

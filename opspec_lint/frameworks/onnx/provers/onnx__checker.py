"""Proves by `onnx.checker.check_model`."""

from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import probe_beside
from opspec_lint.proof.prover import Prover

_TYPES = "the checker looks at no types"
_NAMES = "a model does not name the arguments of its ops"

PROVER = Prover(
    summary="onnx.checker.check_model of an ONNX model",
    package=Package(title="onnx", name="onnx", requirement="onnx"),
    writer="onnx_model",
    is_default=True,
    told=lambda error: " ".join(error.split()).partition(" ==> Context")[0],
    not_shown={
        **dict.fromkeys(("types_", "argument_type_"), _TYPES),
        **dict.fromkeys(("input_renamed", "output_renamed", "argument_order_"), _NAMES),
        "attr_default_": "the checker fills in no default values",
        "version_added": "the checker takes the newest version of an op that it has, whatever the opset",
        "function_body_": "the checker looks at no function bodies",
    },
    probe=lambda: probe_beside(__file__, "_checker.py"),
)

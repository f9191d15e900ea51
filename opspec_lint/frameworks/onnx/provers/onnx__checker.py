"""The prover that confirms findings by `onnx.checker.check_model`."""

from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.prover import Prover

_TYPES = "the checker looks at no types"
_DEFAULTS = "the checker fills in no default values"
_BODIES = "the checker looks at no function bodies"
_NAMES = "a model does not name the arguments of its ops"

PROVER = Prover(
    summary="onnx.checker.check_model of an ONNX model",
    package=Package(title="onnx", name="onnx", requirement="onnx"),
    writer="onnx_model",
    is_default=True,
    error_summary=lambda error: " ".join(error.split()).partition(" ==> Context")[0],
    not_shown={
        "types_narrowed": _TYPES,
        "types_widened": _TYPES,
        "argument_type_changed": _TYPES,
        "argument_type_generalised": _TYPES,
        "input_renamed": _NAMES,
        "output_renamed": _NAMES,
        "argument_order_changed": _NAMES,
        "attr_default_added": _DEFAULTS,
        "attr_default_added_late": _DEFAULTS,
        "attr_default_changed": _DEFAULTS,
        "attr_default_removed": _DEFAULTS,
        "version_added": "the checker takes the newest version of an op that it has, whatever the opset",
        "function_body_added": _BODIES,
        "function_body_removed": _BODIES,
    },
    probe=lambda: read_probe(__file__, "_checker.py"),
)

"""What tests of all frameworks need to know of ONNX (`tests/support/per_framework.py`)."""

from __future__ import annotations

from tests.support.models import onnx_models
from tests.support.released_specs import released

FOREIGN = "dispensable|duplicable|extra|quant|GraphDef|OpDef|OpProto|SavedModel|Paddle|TensorFlow|list\\(type\\)|Ref"
OF_TREES = {"adapters"}
MIRRORS = {
    "adapters_gained": {"adapters_lost"},
    "adapters_lost": {"adapters_gained", "adapters_lost"},
    "types_narrowed": {"types_narrowed", "types_widened"},
    "types_widened": {"types_narrowed"},
}
HOLES = {
    "adapter_missing": "a version that is gone is an op that was removed",
    "limit_lowered": "that a limit is higher is no more than a change of what the loader decides by",
    "op_added_late": "a version that is gone is an op that was removed",
    "version_added": "a version that is gone is an op that was removed",
}
NO_OP = ("limit_lowered",)
WRITERS = {"onnx@1.19.1": ("onnx_model", "onnx.checker")}
EXAMPLES = (
    'loading {"opsets": {"ai.onnx": 1}}\nf@1(X: T) -> (Y: T)',
    'loading {"opsets": {"ai.onnx": 2}}\nf@1(X: T) -> (Y: T)\nf@2(X?: T) -> (Y: T)',
)


def kinds():
    return {"onnx": (released("onnx-1.12.0"), released("onnx-1.23.2"))}


def models():
    return {"onnx": ("m.onnx", {"m.onnx": onnx_models.whole()})}

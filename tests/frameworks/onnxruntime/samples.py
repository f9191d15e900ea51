"""Samples of ONNX Runtime for the tests of all frameworks (`tests/support/per_framework.py`)."""

from __future__ import annotations

from tests.support.released_specs import released

FOREIGN = "dispensable|duplicable|extra|quant|GraphDef|OpDef|OpProto|SavedModel|Paddle|TensorFlow|list\\(type\\)|Ref"
RAISED = 35
WRITERS = {"onnxruntime@1.23.2": ("onnx_model", "InferenceSession")}
EXAMPLES = (
    'loading {"opsets": {"ai.onnx": 1}}\nf@1(X: T) -> (Y: T)',
    'loading {"opsets": {"ai.onnx": 2}}\nf@1(X: T) -> (Y: T)\nf@2(X?: T) -> (Y: T)',
)


def kinds():
    return {"onnxruntime": (released("onnxruntime-1.16.3"), released("onnxruntime-1.32.0"))}

"""Samples of ONNX for the tests of all frameworks (`tests/support/per_framework.py`)."""

from __future__ import annotations

from tests.support.models import onnx_models
from tests.support.released_specs import released
from tests.support.trees import onnx_trees

FOREIGN = "dispensable|duplicable|extra|quant|GraphDef|OpDef|OpProto|SavedModel|Paddle|TensorFlow|list\\(type\\)|Ref"
OF_TREES = {"adapters"}
WRITERS = {"onnx@1.19.1": ("onnx_model", "onnx.checker")}
EXAMPLES = (
    'loading {"opsets": {"ai.onnx": 1}}\nf@1(X: T) -> (Y: T)',
    'loading {"opsets": {"ai.onnx": 2}}\nf@1(X: T) -> (Y: T)\nf@2(X?: T) -> (Y: T)',
)
WRITTEN = {".onnx": onnx_models.written}


def kinds():
    return {"onnx": (released("onnx-1.12.0"), released("onnx-1.23.2"))}


def models():
    return {"onnx": ("m.onnx", {"m.onnx": onnx_models.whole()})}


def tree(parts):
    return ("onnx-source", onnx_trees.of_parts(parts)) if parts.keys() <= {"defs.cc", "operator_sets.h"} else None

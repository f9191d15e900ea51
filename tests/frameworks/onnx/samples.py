"""What tests of all frameworks need to know of ONNX (`tests/per_framework.py`)."""

from __future__ import annotations

import onnx_models


def models():
    return {"onnx": ("m.onnx", {"m.onnx": onnx_models.whole()})}

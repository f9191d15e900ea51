"""What tests of all frameworks need to know of ONNX (`tests/support/per_framework.py`)."""

from __future__ import annotations

from tests.support.models import onnx_models


def models():
    return {"onnx": ("m.onnx", {"m.onnx": onnx_models.whole()})}

"""What tests of all frameworks need to know of PyTorch (`tests/support/per_framework.py`)."""

from __future__ import annotations

from tests.support.models import pytorch_models


def models():
    return {
        "pt2": ("m.pt2", {"m.pt2": pytorch_models.exported()}),
        "torch_weights": ("m.pt", {"m.pt": pytorch_models.weights()}),
        "torchscript": ("m.pt", {"m.pt": pytorch_models.script()}),
    }

"""The texts of general rules in the terms of ONNX Runtime, which are those for ONNX."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.wording import WORDING

__all__ = ["WORDING"]

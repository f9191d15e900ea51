"""Comparison of two releases of ONNX Runtime beyond single schemas, by the rules of ONNX."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.agreement import disagreements, new_disagreements

__all__ = ["disagreements", "new_disagreements"]

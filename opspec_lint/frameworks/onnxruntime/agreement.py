"""Comparison of two releases of ONNX Runtime beyond single schemas, by the rules of ONNX."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.agreement import new_disagreements

__all__ = ["new_disagreements"]

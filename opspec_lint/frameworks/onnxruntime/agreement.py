"""What two releases of ONNX Runtime have to agree on: the same as two of ONNX."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.agreement import changes, standing

__all__ = ["changes", "standing"]

"""What two releases of ONNX Runtime have to agree on: the same as two of ONNX."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.agreement import disagreements, new_disagreements

__all__ = ["disagreements", "new_disagreements"]

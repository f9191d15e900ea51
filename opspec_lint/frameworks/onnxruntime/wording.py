"""What rules say of ONNX Runtime's schemas: the same as of ONNX's."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.wording import WORDS

__all__ = ["WORDS"]

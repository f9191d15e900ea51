"""The marks of source trees of ONNX."""

from __future__ import annotations

from opspec_lint.sources.marks import TreeMark

MARKS = {
    "onnx-source": TreeMark(
        path=r"((?:[^/]+/)*?)onnx/defs/operator_sets\.h$",
    ),
}

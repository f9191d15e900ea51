"""The verifier that compares audits with `onnxruntime.InferenceSession` on the CPU."""

# ruff: noqa: N999 - the loader is called as its class is
from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.verifier import Verifier

VERIFIER = Verifier(
    package=Package(title="ONNX Runtime", name="onnxruntime", requirement="onnxruntime"),
    probe=lambda: read_probe(__file__, "_session.py"),
)

"""The verifier that compares audits with `onnx.checker.check_model`."""

from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.verifier import Verifier

VERIFIER = Verifier(
    package=Package(title="onnx", name="onnx", requirement="onnx"),
    probe=lambda: read_probe(__file__, "_checker.py"),
)

"""The verifier that calls `torch.jit.load`."""

from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.verifier import Verifier

VERIFIER = Verifier(
    package=Package(title="PyTorch", name="torch", requirement="torch"),
    probe=lambda: f"{read_probe(__file__, '_calls.py')}\nload_path = torch__jit__load",
)

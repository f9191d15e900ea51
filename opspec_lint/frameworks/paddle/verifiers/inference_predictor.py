"""The verifier by `paddle.inference.create_predictor`."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.provers.legacy_executor import PROVER
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.verifier import Verifier

VERIFIER = Verifier(
    package=PROVER.package,
    probe=lambda: f"{read_probe(__file__, '_program.py')}\n{read_probe(__file__, '_predictor.py')}",
)

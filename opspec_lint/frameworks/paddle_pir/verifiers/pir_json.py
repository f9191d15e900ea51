"""The verifier that loads PIR programs by `paddle.static.load_inference_model`, and makes an executor for them."""

from __future__ import annotations

from opspec_lint.frameworks.paddle_pir.provers.pir_json import PROVER
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.verifier import Verifier

VERIFIER = Verifier(
    package=PROVER.package,
    probe=lambda: f"{PROVER.probe()}\n{read_probe(__file__, '_path.py')}",
    covers_run=True,
)

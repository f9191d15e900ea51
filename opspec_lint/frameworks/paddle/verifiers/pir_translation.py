"""The verifier by `paddle.pir.translate_to_pir`."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.provers.pir_translation import PROVER
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.verifier import Verifier

VERIFIER = Verifier(
    package=PROVER.package,
    probe=lambda: "\n".join(
        [read_probe(__file__, "_program.py"), PROVER.probe(), read_probe(__file__, "_by_content.py")]
    ),
    covers_run=True,
)

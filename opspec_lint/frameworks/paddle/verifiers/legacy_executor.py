"""The verifier by the legacy executor: its checks before a kernel runs, and a run where the audit is about one."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.provers.legacy_executor import PROVER
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.verifier import Verifier

VERIFIER = Verifier(
    package=PROVER.package,
    probe=lambda: "\n".join(
        [
            read_probe(__file__, "_program.py"),
            PROVER.probe(),
            read_probe(__file__, "_by_content.py"),
            read_probe(__file__, "_run.py"),
        ]
    ),
    covers_run=True,
    runs=True,
)

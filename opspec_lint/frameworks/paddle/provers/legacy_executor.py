"""Proves by the legacy executor, which exists in all releases."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.errors import told
from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import probe_beside
from opspec_lint.proof.prover import Prover

PROVER = Prover(
    summary="the ops of a ProgramDesc, created as static.Executor does, and run where that tells more",
    package=Package(title="Paddle", name="paddle", requirement="paddlepaddle"),
    writer="program_desc",
    is_default=True,
    told=told,
    not_shown={
        "predictor_": "the predictor alone does it, and another loader is asked",
        "generated_": "models do not say whether an attr is generated",
    },
    settled_by_run=frozenset({"attr", "input", "output"}),
    probe=lambda: probe_beside(__file__, "_legacy_executor.py"),
)

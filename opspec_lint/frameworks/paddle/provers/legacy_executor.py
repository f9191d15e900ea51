"""Proves by the legacy executor, which exists in all releases."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.programs.errors import told
from opspec_lint.proof.prover import Prover
from opspec_lint.sources.interpreter import probe_beside

PROVER = Prover(
    summary="the ops of a ProgramDesc, created as static.Executor does",
    framework="paddle",
    title="Paddle",
    package="paddle",
    requirement="paddlepaddle",
    writer="program_desc",
    is_default=True,
    told=told,
    not_shown={
        "predictor_": "the predictor alone does it, and another loader is asked",
        "generated_": "models do not say whether an attr is generated",
    },
    probe=lambda: probe_beside(__file__, "_legacy_executor.py"),
)

"""Proves by the translation to PIR, which Paddle 3 does when it loads a program. Base is asked by its executor."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.programs.errors import told
from opspec_lint.proof.prover import Prover
from opspec_lint.sources.interpreter import probe_beside

PROVER = Prover(
    summary="paddle.pir.translate_to_pir of a ProgramDesc, under head alone",
    framework="paddle",
    title="Paddle",
    package="paddle",
    requirement="paddlepaddle",
    writer="program_desc",
    told=told,
    probe=lambda: probe_beside(__file__, "_pir_translation.py"),
    saved_under=lambda: probe_beside(__file__, "_legacy_executor.py"),
)

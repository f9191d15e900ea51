"""The prover by the translation to PIR, which Paddle 3 does when it loads a program; base is loaded by its executor."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.events import TRANSLATIONS
from opspec_lint.frameworks.paddle.provers.legacy_executor import PROVER as EXECUTOR_PROVER
from opspec_lint.interpreters.runner import read_probe

PROVER = EXECUTOR_PROVER.replace(
    summary="paddle.pir.translate_to_pir of a ProgramDesc, under head alone",
    probe=lambda: read_probe(__file__, "_pir_translation.py"),
    saved_under=EXECUTOR_PROVER.probe,
    settled_by_load=TRANSLATIONS,
    able_to_run=False,
    specs_of="paddle-pir",
)

"""The prover by the legacy executor, which all releases have."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.errors import error_message
from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.prover import Prover

_GENERATED = "models do not say whether an attr is generated"

PROVER = Prover(
    summary="the ops of a ProgramDesc, created as static.Executor does, and run where that tells more",
    package=Package(title="Paddle", name="paddle", requirement="paddlepaddle"),
    writer="program_desc",
    is_default=True,
    error_summary=error_message,
    not_shown={
        "predictor_broadcast_changed": "the predictor alone does it, and another loader is asked",
        "generated_cleared": _GENERATED,
        "generated_set": _GENERATED,
    },
    settled_by_run=frozenset({"attr", "input", "output"}),
    probe=lambda: read_probe(__file__, "_legacy_executor.py"),
)

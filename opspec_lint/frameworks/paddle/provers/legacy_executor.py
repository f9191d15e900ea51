"""The prover by the legacy executor, which all releases have."""

from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.kit.pattern import pattern
from opspec_lint.proof.prover import Prover

_SUMMARY = pattern(r"Error Message Summary:\s*-+\s*(.*)", "s")
_PLACE = pattern(r"(?<!\s)\s*\(?\bat \(?/\S+:\d+\)?")
_GENERATED = "models do not say whether an attr is generated"


def _error_message(error: str) -> str:
    """Return the message in an error of Paddle, without the C++ call stack and the place in Paddle's source."""
    summary = _SUMMARY.search(error)
    return " ".join(_PLACE.sub("", summary[1] if summary else error).split())


PROVER = Prover(
    summary="the ops of a ProgramDesc, created as static.Executor does, and run where that tells more",
    package=Package(title="Paddle", name="paddle", requirement="paddlepaddle"),
    writer="program_desc",
    is_default=True,
    error_summary=_error_message,
    not_shown={
        "predictor_broadcast_changed": "the predictor alone does it, and another loader is asked",
        "generated_cleared": _GENERATED,
        "generated_set": _GENERATED,
    },
    settled_by_run=frozenset({"attr", "input", "output"}),
    probe=lambda: read_probe(__file__, "_legacy_executor.py"),
)

"""The prover `pir_json`: loads a PIR program with the patches of the release, and runs it where needed."""

from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.proof.prover import Prover

_PATCH = "it is about a patch file"

PROVER = Prover(
    summary="a PIR program, loaded by static.load_inference_model, its kernels chosen, and run where that tells more",
    package=Package(title="Paddle", name="paddle", requirement="paddlepaddle"),
    writer="pir_program",
    is_default=True,
    error_summary=lambda error: " ".join(error.split()),
    not_shown={
        "patch_breaks_op": _PATCH,
        "patch_dropped": _PATCH,
        "patch_missing": _PATCH,
        "patch_names_nothing": _PATCH,
        "patch_not_applied": _PATCH,
        "patch_not_judged": _PATCH,
        "patch_of_other_dialect": _PATCH,
        "patch_of_release_changed": _PATCH,
        "patch_rewrites_op": _PATCH,
        "patch_types_changed": _PATCH,
        "patch_unread": _PATCH,
        "patch_without_effect": _PATCH,
    },
    settled_by_run=frozenset({"op", "attr", "input", "output"}),
    probe=lambda: read_probe(__file__, "_pir_json.py"),
)

"""The number of models behind proofs; a model that its own release refuses or cannot run is no evidence."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.proof.claim_trials import ClaimTrials
    from opspec_lint.proof.trial_cache import Side


class Evidence(Record):
    """Numbers of models: `tried` and `run`, and of these `not_taken` and `not_run` by the saving release itself."""

    tried: int
    not_taken: int
    run: int
    not_run: int


def evidence_of(works: Sequence[ClaimTrials]) -> Evidence:
    """Return the numbers of models that were tried for claims.

    Claims share models: one that the same release saves for several claims counts once.
    """
    # Whether the saving release loads and runs a model, by that release and the bytes of the model.
    loads: dict[tuple[Side, bytes], bool] = {}
    runs: dict[tuple[Side, bytes], bool] = {}
    for work in works:
        saver = work.saver
        for model, loads_of_model in zip(work.models, work.trials, strict=False):
            loads[saver, model] = loads_of_model.saved.loads
        for (_, model), runs_of_model in zip(work.loaded_by_both, work.runs, strict=False):
            runs[saver, model] = runs_of_model.saved.loads  # the outcome of a run has the same form as that of a load
    return Evidence(
        tried=len(loads),
        not_taken=list(loads.values()).count(False),
        run=len(runs),
        not_run=list(runs.values()).count(False),
    )

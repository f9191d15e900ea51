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
    """Return the numbers of models that were tried for claims; a model of several claims counts once."""
    # Whether the saving release loads and runs a model, by the release and the bytes of the model: claims share models.
    is_taken: dict[tuple[Side, bytes], bool] = {}
    is_run: dict[tuple[Side, bytes], bool] = {}
    for work in works:
        saving = work.sides[0]
        for model, (load, _) in zip(work.models, work.trials, strict=False):
            is_taken[saving, model] = load.loads
        for (_, model), (run, *_) in zip(work.loaded_by_both, work.runs, strict=False):
            is_run[saving, model] = run.loads
    return Evidence(
        tried=len(is_taken),
        not_taken=sum(not taken for taken in is_taken.values()),
        run=len(is_run),
        not_run=sum(not ran for ran in is_run.values()),
    )

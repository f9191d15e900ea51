"""The number of models behind proofs; a model that its own release refuses or cannot run is no evidence."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.proof.claim_trials import ClaimTrials


class Evidence(Record):
    """Numbers of models: `tried` and `run`, and of these `not_taken` and `not_run` by the saving release itself."""

    tried: int
    not_taken: int
    run: int
    not_run: int


def evidence_of(works: Sequence[ClaimTrials]) -> Evidence:
    """Return the numbers of models that were tried for claims; a model of several claims counts once."""
    # By side and bytes, as claims share models: each is counted once.
    loaded, run = {}, {}
    for work in works:
        side = work.sides[0]
        loaded.update({(side, model): saved.loads for model, (saved, _) in zip(work.models, work.trials, strict=False)})
        run.update(
            {
                (side, model): saved.loads
                for (_, model), (saved, *_) in zip(work.loaded_by_both, work.runs, strict=False)
            }
        )
    counts = (
        (len(loads_by_model), sum(not loads for loads in loads_by_model.values())) for loads_by_model in (loaded, run)
    )
    (tried, not_taken), (ran, not_run) = counts
    return Evidence(tried=tried, not_taken=not_taken, run=ran, not_run=not_run)

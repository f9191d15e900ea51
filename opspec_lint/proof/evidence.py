"""How many models a proof rests on: one that its own release does not take, or does not run, shows nothing."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.proof.claim_trials import ClaimTrials


class Evidence(Record):
    """How many models were tried, and how many of these the release that saves them does not take itself.

    `run` are those that were run as well, and `not_run` those that the release that saves them does not run.
    """

    tried: int
    not_taken: int
    run: int
    not_run: int


def evidence_of(works: Sequence[ClaimTrials]) -> Evidence:
    """Return how many models were tried for some works, each model counted once."""
    loaded, run = {}, {}
    for work in works:
        side = work.sides[0]
        loaded.update({(side, model): saved.loads for model, (saved, _) in zip(work.models, work.trials, strict=False)})
        run.update({(side, model): saved.loads for (_, model), (saved, *_) in zip(work.taken, work.runs, strict=False)})
    counts = ((len(each), sum(not taken for taken in each.values())) for each in (loaded, run))
    (tried, not_taken), (ran, not_run) = counts
    return Evidence(tried=tried, not_taken=not_taken, run=ran, not_run=not_run)

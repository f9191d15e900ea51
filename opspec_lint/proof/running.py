"""Runs of models for claims that loading cannot decide: both releases load the models.

1. The saving release runs two models per claim, and two more if one of these runs.
2. The loading release runs the models that ran there, and their controls.
3. Each claim is judged by its runs.
"""

from __future__ import annotations

from opspec_lint.proof.claim_trials import Runs
from opspec_lint.proof.trial_cache import SIDES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.proof.claim_trials import ClaimTrials
    from opspec_lint.proof.trial_cache import TrialCache

_FIRST = 2
"""Models of a claim that are run first; if none runs in its own release, further ones rarely do."""
_MOST = 4


def run(works: Sequence[ClaimTrials], trials: TrialCache) -> None:
    """Run models of claims in both releases, and set the judgement of each claim."""
    _run_by_saver(works, trials, _FIRST)
    runnable = [
        work
        for work in works
        if any(_runs_when_saved(work, model, trials) for _, model in work.loaded_by_both[:_FIRST])
    ]
    _run_by_saver(runnable, trials, _MOST)
    # By side, not by claim: each call starts one interpreter, whose import takes seconds.
    for side in SIDES:
        works_of_side = [work for work in runnable if work.reader == side]
        trials.try_models(side, "run", (model for work in works_of_side for model in _models_for_reader(work, trials)))
    for work in works:
        most = _MOST if work in runnable else _FIRST
        work.judge_run([_run_outcome(work, model, trials) for _, model in work.loaded_by_both[:most]])


def _run_by_saver(works: Sequence[ClaimTrials], trials: TrialCache, most: int) -> None:
    """Let the saving release of each claim run its first `most` models."""
    for side in SIDES:
        works_of_side = [work for work in works if work.saver == side]
        trials.try_models(side, "run", (model for work in works_of_side for _, model in work.loaded_by_both[:most]))


def _runs_when_saved(work: ClaimTrials, model: bytes, trials: TrialCache) -> bool:
    """Return whether a model ran in the release that saves it."""
    return trials.trial_of(work.saver, "run", model).loads


def _models_for_reader(work: ClaimTrials, trials: TrialCache) -> Iterator[bytes]:
    """Yield the models of a claim that the loading release has to run, and their controls."""
    for _, model in work.loaded_by_both[:_MOST]:
        if _runs_when_saved(work, model, trials):
            yield model
            if model in work.controls:
                yield work.controls[model]


def _run_outcome(work: ClaimTrials, model: bytes, trials: TrialCache) -> Runs:
    """Return the runs of a model, and of its control in the loading release."""
    saved = trials.trial_of(work.saver, "run", model)
    # The loading release was not asked: a failure in the own release makes the model no evidence.
    if not saved.loads:
        return Runs(saved=saved, loaded=saved, control=None)
    control = work.controls.get(model)
    return Runs(
        saved=saved,
        loaded=trials.trial_of(work.reader, "run", model),
        control=None if control is None else trials.trial_of(work.reader, "run", control),
    )

"""Runs the models of findings that loading them does not settle: both releases take the models."""

from __future__ import annotations

from opspec_lint.proof.trial_cache import SIDES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.proof.claim_trials import ClaimTrials, Run
    from opspec_lint.proof.trial_cache import TrialCache

_FIRST = 2
"""Models that are run for a finding at first; if none runs where it was saved, the others hardly do."""
_MOST = 4


def run(works: Sequence[ClaimTrials], trials: TrialCache) -> None:
    """Run models of works where they are saved, and those that run there under the other release; judge the works.

    Raises:
        InputError: an interpreter cannot be run.
    """
    _run_where_saved(works, trials, _FIRST)
    going = [work for work in works if any(_runs(work, model, trials) for _, model in work.taken[:_FIRST])]
    _run_where_saved(going, trials, _MOST)
    for side in SIDES:
        those = [work for work in going if work.sides[1] == side]
        trials.ask(side, "run", (each for work in those for each in _run_by_reader(work, trials)))
    for work in works:
        most = _MOST if work in going else _FIRST
        work.judge_run([_became(work, model, trials) for _, model in work.taken[:most]])


def _run_where_saved(works: Sequence[ClaimTrials], trials: TrialCache, most: int) -> None:
    for side in SIDES:
        those = [work for work in works if work.sides[0] == side]
        trials.ask(side, "run", (model for work in those for _, model in work.taken[:most]))


def _runs(work: ClaimTrials, model: bytes, trials: TrialCache) -> bool:
    return trials.told(work.sides[0], "run", model).loads


def _run_by_reader(work: ClaimTrials, trials: TrialCache) -> Iterator[bytes]:
    """Yield the models that the release runs that did not save them, and their controls."""
    for _, model in work.taken[:_MOST]:
        if _runs(work, model, trials):
            yield model
            if model in work.controls:
                yield work.controls[model]


def _became(work: ClaimTrials, model: bytes, trials: TrialCache) -> Run:
    """Return the result of a model that was run; one that its own release does not run says nothing."""
    saver, reader = work.sides
    saved = trials.told(saver, "run", model)
    if not saved.loads:
        return saved, saved, None
    control = work.controls.get(model)
    controlled = None if control is None else trials.told(reader, "run", control)
    return saved, trials.told(reader, "run", model), controlled

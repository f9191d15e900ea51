"""The proof of one finding in one direction while it is made: candidate models, trials so far, judgement."""

from __future__ import annotations

from typing import NamedTuple

from opspec_lint.kit.record import Record
from opspec_lint.proof.judge import Attempt, Judgement, judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opspec_lint.proof.judge import Claim, Releases
    from opspec_lint.proof.sample import Sample
    from opspec_lint.proof.trial import Trial
    from opspec_lint.proof.trial_cache import Side
    from opspec_lint.proof.witness import Candidate
    from opspec_lint.report.findings import Direction, Finding

# Each such model costs a new process, and a minute if it hangs.
_DEATHS = ("crashed", "hung", "out_of_memory")
_MOST_DEATHS = 2
"""Number of models that kill the saving release before a claim gets no further trials."""


class Loads(NamedTuple):
    """The loads of one model by the saving and by the loading release."""

    saved: Trial
    loaded: Trial


class Runs(NamedTuple):
    """The runs of one model by the saving and by the loading release, and the run of its control, if it has one.

    If the model does not run in the saving release, `loaded` is the same trial: the loading release does not run it.
    """

    saved: Trial
    loaded: Trial
    control: Trial | None


class LoadedModel(NamedTuple):
    """The bytes of a model that both releases load, and its number among the models of the claim, from 0."""

    number: int
    model: bytes


class Proof(Record):
    """The proof of a finding: its judgement and the model that supports it.

    `direction` is None for a finding without a direction. `model` are the bytes of the model, None if no model was
    written. `releases` are the names of both releases.
    """

    finding: Finding
    direction: Direction | None
    judgement: Judgement
    model: bytes | None = None
    releases: Releases


class ClaimTrials:
    """A claim with its models and their trials so far.

    Args:
        claim: the claim to prove.
        releases: the names of both releases.
        models: the candidates by the bytes of their models, the simplest first.
        controls: the bytes of the control by the bytes of the model, for models that have one.
        error_summary: returns the part of an error message that states the problem.
    """

    def __init__(
        self,
        claim: Claim,
        releases: Releases,
        models: Mapping[bytes, Candidate],
        controls: Mapping[bytes, bytes],
        error_summary: Callable[[str], str],
    ) -> None:
        self.claim = claim
        self.releases = releases
        self.models = list(models)
        self.controls = controls
        self.trials: list[Loads] = []
        """The loads of the first models so far, in their order."""
        self.runs: tuple[Runs, ...] = ()
        """The runs of the first models that both releases load, in their order."""
        self.judgement: Judgement | None = None
        self._candidates = list(models.values())
        self._error_summary = error_summary

    @property
    def saver(self) -> Side:
        """The side of the saving release."""
        return "base" if self.claim.direction == "backward" else "head"

    @property
    def reader(self) -> Side:
        """The side of the loading release."""
        return "head" if self.claim.direction == "backward" else "base"

    @property
    def is_open(self) -> bool:
        """Further models may change the judgement."""
        if self.judgement is not None and self.judgement.is_final:
            return False
        died = sum(loads.saved.outcome in _DEATHS for loads in self.trials)
        return bool(self.models) and died < _MOST_DEATHS

    @property
    def loaded_by_both(self) -> list[LoadedModel]:
        """The models that both releases load, each with its index."""
        return [
            LoadedModel(index, self.models[index])
            for index, loads in enumerate(self.trials)
            if loads.saved.loads and loads.loaded.loads
        ]

    def judge_loaded(self) -> None:
        """Set the judgement by the loads so far."""
        if self.trials:
            tried = [
                Attempt(kind=candidate.kind, is_decisive=candidate.is_decisive, saved=loads.saved, loaded=loads.loaded)
                for candidate, loads in zip(self._candidates, self.trials, strict=False)
            ]
            self.judgement = judge(self.claim, tried, self.releases, self._error_summary)

    def leave_open(self) -> None:
        """Set the judgement "not_provable": both releases load the models, and the prover cannot run kernels."""
        reason = f"{self.releases.reader} takes the models, and no kernel is run"
        self.judgement = Judgement(verdict="not_provable", reason=reason, model=self.loaded_by_both[0].number)

    def judge_run(self, runs: Sequence[Runs]) -> None:
        """Set the judgement by runs of the first models that both releases load; `runs` are in their order."""
        self.runs = tuple(runs)
        loaded_models = self.loaded_by_both
        tried = [
            Attempt(
                kind=self._candidates[index].kind,
                differs_from_default=self._differs_from_default(self._candidates[index].sample),
                saved=of_model.saved,
                loaded=of_model.loaded,
                control=of_model.control,
            )
            for (index, _), of_model in zip(loaded_models, runs, strict=False)
        ]
        judgement = judge(self.claim, tried, self.releases.replace(step="run"), self._error_summary)
        if judgement.model is not None:
            # `judge` counts the models that were run; a proof counts all models of the claim.
            judgement = judgement.replace(model=loaded_models[judgement.model].number)
        self.judgement = judgement

    def _differs_from_default(self, sample: Sample) -> bool:
        """Return whether a model gives the attr of the claim another value than its default; True without the attr."""
        name, _ = self.claim.names
        attr = next((candidate for candidate in sample.op.attrs if candidate.name == name), None)
        return attr is None or (attr.name in sample.attrs and sample.attrs[attr.name] != attr.default_value)

    def proof(self) -> Proof:
        """Return the finished proof; "not_tried" without trials."""
        judgement = self.judgement or Judgement(
            verdict="not_tried", reason="no interpreters of both releases were named", model=0
        )
        direction = None if not self.claim.finding.directions else self.claim.direction
        model = None if judgement.model is None or not self.models else self.models[judgement.model]
        return Proof(
            finding=self.claim.finding, direction=direction, judgement=judgement, model=model, releases=self.releases
        )

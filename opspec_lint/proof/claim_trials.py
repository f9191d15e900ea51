"""What is to be done to prove a finding in one direction: its models, and what became of them so far."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.proof.judge import Shown, Tried, judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from opspec_lint.proof.judge import Claim, Releases
    from opspec_lint.proof.sample import Sample
    from opspec_lint.proof.trial import Trial
    from opspec_lint.proof.trial_cache import Side
    from opspec_lint.proof.witness import Candidate
    from opspec_lint.report.findings import Direction, Finding

    Run: TypeAlias = tuple[Trial, Trial, Trial | None]

_DEATHS = ("crashed", "hung", "out_of_memory")
_MOST_DEATHS = 2
"""Models that a release may die of itself, before no more of them are tried for one finding."""


class Proof(Record):
    """What was found out of a finding in one direction, None where it has none.

    `model` are the bytes of the model that shows it, None where there is none; `releases` what the two are called.
    """

    finding: Finding
    direction: Direction | None
    shown: Shown
    model: bytes | None = None
    releases: Releases


class ClaimTrials:
    """A claim, its models, and what became of them so far.

    Args:
        claim: what is to be shown.
        releases: what both releases are called.
        models: the candidates by the bytes of their models, the simplest first.
        controls: the bytes of the controls of models that have one.
        told: returns what of an error says what is wrong.
    """

    def __init__(
        self,
        claim: Claim,
        releases: Releases,
        models: Mapping[bytes, Candidate],
        controls: Mapping[bytes, bytes],
        told: Callable[[str], str],
    ) -> None:
        self.claim = claim
        self.releases = releases
        self.models = list(models)
        self.controls = controls
        self.trials: list[tuple[Trial, Trial]] = []
        self.runs: tuple[Run, ...] = ()
        self.shown: Shown | None = None
        self._candidates = list(models.values())
        self._told = told

    @property
    def sides(self) -> tuple[Side, Side]:
        """The side of the release that saves the models, and of the one that loads them."""
        return ("base", "head") if self.claim.direction == "backward" else ("head", "base")

    @property
    def is_open(self) -> bool:
        """Whether further models may show something."""
        if self.shown is not None and self.shown.is_final:
            return False
        died = sum(saved.outcome in _DEATHS for saved, _ in self.trials)
        return bool(self.models) and died < _MOST_DEATHS

    @property
    def taken(self) -> list[tuple[int, bytes]]:
        """The models that both releases take, each with its number."""
        found = [number for number, (saved, loaded) in enumerate(self.trials) if saved.loads and loaded.loads]
        return [(number, self.models[number]) for number in found]

    def judge_loaded(self) -> None:
        """Judge by what became of the models when they were loaded."""
        if self.trials:
            tried = [
                Tried(kind=each.kind, tells=each.tells, saved=saved, loaded=loaded)
                for each, (saved, loaded) in zip(self._candidates, self.trials, strict=False)
            ]
            self.shown = judge(self.claim, tried, self.releases, self._told)

    def leave_open(self) -> None:
        """Judge that both releases take the models, and that nobody asks what their kernels make of them."""
        reason = f"{self.releases.reader} takes the models, and no kernel is run"
        self.shown = Shown(verdict="not_provable", reason=reason, model=self.taken[0][0])

    def judge_run(self, runs: Sequence[Run]) -> None:
        """Judge by what became of the first models that both releases take, and of their controls, when they ran."""
        self.runs = tuple(runs)
        tried = [
            Tried(
                kind=self._candidates[number].kind,
                says=self._says(self._candidates[number].sample),
                saved=saved,
                loaded=loaded,
                control=control,
            )
            for (number, _), (saved, loaded, control) in zip(self.taken, runs, strict=False)
        ]
        found = judge(self.claim, tried, self.releases.replace(step="run"), self._told)
        self.shown = found if found.model is None else found.replace(model=self.taken[found.model][0])

    def _says(self, sample: Sample) -> bool:
        """Tell whether a model gives the attr that the claim is about another value than its default, if it has it."""
        name = self.claim.names[0]
        attr = next((each for each in sample.op.attrs if each.name == name), None)
        return attr is None or (attr.name in sample.attrs and sample.attrs[attr.name] != attr.default_value)

    def proof(self) -> Proof:
        """Return the proof."""
        shown = self.shown or Shown(verdict="not_tried", reason="no interpreters of both releases were named", model=0)
        direction = None if not self.claim.finding.directions else self.claim.direction
        model = None if shown.model is None or not self.models else self.models[shown.model]
        return Proof(finding=self.claim.finding, direction=direction, shown=shown, model=model, releases=self.releases)

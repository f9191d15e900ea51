"""Proves findings: writes the models that may show each, has both releases load them, and judges."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.record import Record
from opspec_lint.proof import trial, witness
from opspec_lint.proof.judge import Claim, Releases, Shown, Tried, judge
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.witness import section_of
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from opspec_lint.proof.prover import Prover
    from opspec_lint.proof.sample import Sample
    from opspec_lint.proof.trial import Bench, Trial
    from opspec_lint.proof.witness import Candidate
    from opspec_lint.proof.writer import Writer
    from opspec_lint.report.findings import Direction, Finding
    from opspec_lint.spec.model import Spec

_ROUNDS = (2, 12, witness.MOST)
"""Up to which of its models a claim is tried in each round: most are decided by the first."""
_DEATHS = ("crashed", "hung", "out_of_memory")
_MOST_DEATHS = 2
"""Models that a release may die of itself, before no more of them are tried for one finding."""
_NOT_SPOKEN_OF = UnwritableError("models do not speak of it")
_ENDS: tuple[Direction, ...] = ("backward", "forward")


class Ends(Record):
    """What is compared, and where each release can be asked; None for a release that nobody can ask."""

    base: Spec
    head: Spec
    base_bench: Bench | None = None
    head_bench: Bench | None = None

    def of(self, direction: Direction) -> tuple[Spec, Spec]:
        """Return the spec of the release that saves models, and of the one that loads them."""
        return (self.base, self.head) if direction == "backward" else (self.head, self.base)


class Proof(Record):
    """What was found out of a finding in one direction, None where it has none.

    `model` are the bytes of the model that shows it, None where there is none; `releases` what the two are called.
    """

    finding: Finding
    direction: Direction | None
    shown: Shown
    model: bytes | None = None
    releases: Releases


def prove(
    findings: Iterable[Finding], ends: Ends, prover: Prover, writer: Writer, progress: Callable[[str], None]
) -> list[Proof]:
    """Return what can be shown of each finding in each of its directions.

    Raises:
        UsageError: an interpreter has another release than the spec is of.
        InputError: an interpreter cannot be run, or has no such framework.
    """
    works = [work for each in findings for work in _works(each, ends, prover, writer)]
    if ends.base_bench is not None and ends.head_bench is not None:
        sides = {"base": (ends.base, ends.base_bench), "head": (ends.head, ends.head_bench)}
        _try(works, _Laboratory(sides, progress))
    return [work.proof() for work in works]


class _Work:
    """A claim, its models, and what became of them so far."""

    def __init__(
        self, claim: Claim, releases: Releases, models: Mapping[bytes, Candidate], told: Callable[[str], str]
    ) -> None:
        self.claim = claim
        self.releases = releases
        self.models = list(models)
        self.candidates = list(models.values())
        self.trials: list[tuple[Trial, Trial]] = []
        self.shown: Shown | None = None
        self._told = told

    @property
    def is_open(self) -> bool:
        if self.shown is not None and self.shown.is_final:
            return False
        died = sum(saved.outcome in _DEATHS for saved, _ in self.trials)
        return bool(self.models) and died < _MOST_DEATHS

    def judge(self) -> None:
        if self.trials:
            tried = [
                Tried(kind=each.kind, tells=each.tells, saved=saved, loaded=loaded)
                for each, (saved, loaded) in zip(self.candidates, self.trials, strict=False)
            ]
            self.shown = judge(self.claim, tried, self.releases, self._told)

    def proof(self) -> Proof:
        shown = self.shown or Shown(verdict="not_tried", reason="no interpreters of both releases were named", model=0)
        direction = None if not self.claim.finding.directions else self.claim.direction
        model = None if shown.model is None or not self.models else self.models[shown.model]
        return Proof(finding=self.claim.finding, direction=direction, shown=shown, model=model, releases=self.releases)


def _works(finding: Finding, ends: Ends, prover: Prover, writer: Writer) -> Iterator[_Work]:
    """Yield what is to be done for a finding: one work for each direction, one without models if there is none."""
    for direction in finding.directions or _ENDS[:1]:
        saver, reader = ends.of(direction)
        releases = Releases(saver=_called(saver), reader=_called(reader))
        claim = _claim(finding, direction, (saver, reader))
        reason = witness.why_none(finding, prover.not_shown)
        if not reason and direction == "forward" and prover.saved_under is not None:
            reason = f"only {_called(ends.head)} has this loader"
        models: dict[bytes, Candidate] = {}
        if not reason:
            try:
                models = _models(claim, (saver, reader), writer)
            except UnwritableError as error:
                reason = f"no model can be written: {error}"
        work = _Work(claim, releases, models, prover.told)
        if reason:
            work.shown = Shown(verdict="not_provable", reason=reason)
        yield work


def _called(spec: Spec) -> str:
    return spec.provenance.version or spec.file


def _claim(finding: Finding, direction: Direction, specs: tuple[Spec, Spec]) -> Claim:
    names = (finding.name, finding.new_name or finding.name)
    saved, loaded = names if direction == "backward" else names[::-1]
    own = {*names, *witness.deciding_names(finding, specs)}
    ops = [op for spec in specs if (op := spec.ops.get(finding.op or ""))]
    others = {each.name for op in ops for section in SECTIONS.values() for each in getattr(op, section)}
    return Claim(
        finding=finding,
        direction=direction,
        names=(saved, loaded),
        own=frozenset(name for name in own if name),
        others=frozenset({*others, finding.op or ""} - own - {""}),
        is_declared=_declares(specs[1], finding, loaded),
    )


def _declares(reader: Spec, finding: Finding, name: str | None) -> bool:
    op = reader.ops.get(finding.op or "")
    section = section_of(finding.kind)
    return op is None or section is None or any(each.name == name for each in getattr(op, section))


def _models(claim: Claim, specs: tuple[Spec, Spec], writer: Writer) -> dict[bytes, Candidate]:
    """Return the models of a claim, the simplest first.

    Raises:
        UnwritableError: there is none, and why.
    """
    candidates = witness.candidates(claim.finding, *specs, writer, claim.names[0])
    found = [(_written(each.sample, specs[0], writer), each) for each in candidates]
    models = {data: each for data, each in reversed(found) if isinstance(data, bytes)}
    if not models:
        raise next((each for each, _ in found if isinstance(each, UnwritableError)), _NOT_SPOKEN_OF)
    return dict(reversed(models.items()))


def _written(sample: Sample, spec: Spec, writer: Writer) -> bytes | UnwritableError:
    try:
        return writer.write(sample, spec)
    except UnwritableError as error:
        return error


class _Laboratory:
    """Loads models under both releases, each model once."""

    def __init__(self, sides: Mapping[str, tuple[Spec, Bench]], progress: Callable[[str], None]) -> None:
        self._sides = sides
        self._progress = progress
        self._known: dict[tuple[str, bytes], Trial] = {}

    def load(self, works: Sequence[tuple[_Work, Sequence[bytes]]]) -> None:
        """Load some models of each work, and keep what became of them with it."""
        wanted = dict.fromkeys(each for _, models in works for each in models)
        for side in self._sides:
            self._ask(side, [each for each in wanted if (side, each) not in self._known])
        for work, models in works:
            saver, reader = ("base", "head") if work.claim.direction == "backward" else ("head", "base")
            work.trials += [(self._known[saver, each], self._known[reader, each]) for each in models]

    def _ask(self, side: str, models: Sequence[bytes]) -> None:
        if not models:
            return
        spec, bench = self._sides[side]
        self._progress(f"loading {len(models)} models under {_called(spec)}")
        found = trial.load_all(bench, models, self._progress)
        check_release(found.version, spec, bench)
        self._known |= {(side, data): each for data, each in zip(models, found.trials, strict=True)}


def check_release(version: str, spec: Spec, bench: Bench) -> None:
    """Make sure that an interpreter has the release of a spec.

    Raises:
        UsageError: it has another one.
    """
    expected = spec.provenance.version
    if expected is not None and expected != version:
        raise UsageError(
            f"{bench.python} has {bench.package.title} {version}, and {spec.file} is the spec of {expected}",
            advice=f"name an interpreter with {bench.package.title} {expected}",
        )


def _try(works: Sequence[_Work], laboratory: _Laboratory) -> None:
    """Try the models of all works, more of them in each round, until each is shown or all its models are tried."""
    for most in _ROUNDS:
        following = [
            (work, work.models[len(work.trials) : most])
            for work in works
            if work.is_open and len(work.trials) < min(most, len(work.models))
        ]
        if following:
            laboratory.load(following)
        for work, _ in following:
            work.judge()

"""Proves findings: writes the models that may show each, has both releases load them, perhaps run them, and judges."""

from __future__ import annotations

import contextlib

from opspec_lint.kit.record import Record
from opspec_lint.proof import witness
from opspec_lint.proof.claim_trials import ClaimTrials
from opspec_lint.proof.evidence import evidence_of
from opspec_lint.proof.judge import Claim, Releases, Shown
from opspec_lint.proof.running import run
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.trial_cache import SIDES, TrialCache
from opspec_lint.proof.witness import section_of
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from opspec_lint.proof.claim_trials import Proof
    from opspec_lint.proof.evidence import Evidence
    from opspec_lint.proof.prover import Prover
    from opspec_lint.proof.sample import Sample
    from opspec_lint.proof.trial import TrialSetup
    from opspec_lint.proof.witness import Candidate
    from opspec_lint.proof.writer import Writer
    from opspec_lint.report.findings import Direction, Finding
    from opspec_lint.spec.model import Spec

_ROUNDS = (2, 12, witness.MOST)
"""Up to which of its models a claim is tried in each round: most are decided by the first."""
_NOT_SPOKEN_OF = UnwritableError("models do not speak of it")
_ENDS: tuple[Direction, ...] = ("backward", "forward")


class Ends(Record):
    """What is compared, and where each release can be asked; None for a release that nobody can ask."""

    base: Spec
    head: Spec
    base_setup: TrialSetup | None = None
    head_setup: TrialSetup | None = None

    def of(self, direction: Direction) -> tuple[Spec, Spec]:
        """Return the spec of the release that saves models, and of the one that loads them."""
        return (self.base, self.head) if direction == "backward" else (self.head, self.base)


class Proofs(Record):
    """What was found out of findings, and how many models are evidence of it."""

    proofs: tuple[Proof, ...]
    evidence: Evidence


def prove(
    findings: Iterable[Finding], ends: Ends, prover: Prover, writer: Writer, progress: Callable[[str], None]
) -> Proofs:
    """Return the proofs of each finding in each of its directions.

    Raises:
        UsageError: an interpreter has another release than the spec is of.
        InputError: an interpreter cannot be run, or has no such framework.
    """
    works = [work for each in findings for work in _works(each, ends, prover, writer)]
    if ends.base_setup is not None and ends.head_setup is not None:
        trials = TrialCache({"base": (ends.base, ends.base_setup), "head": (ends.head, ends.head_setup)}, progress)
        _try(works, trials)
        untold = [work for work in works if _is_settled_by_run(work, prover)]
        if prover.able_to_run:
            run(untold, trials)
        else:
            for work in untold:
                work.leave_open()
    return Proofs(proofs=tuple(work.proof() for work in works), evidence=evidence_of(works))


def _is_settled_by_run(work: ClaimTrials, prover: Prover) -> bool:
    """Tell whether what is claimed was not tried when the models were loaded."""
    is_refuted = work.shown is not None and work.shown.verdict == "refuted"
    finding = work.claim.finding
    is_settled = finding.kind not in prover.settled_by_run or finding.event in prover.settled_by_load
    return is_refuted and not is_settled


def _works(finding: Finding, ends: Ends, prover: Prover, writer: Writer) -> Iterator[ClaimTrials]:
    """Yield what is to be done for a finding: one work for each direction, one without models if there is none."""
    for direction in finding.directions or _ENDS[:1]:
        saver, reader = ends.of(direction)
        releases = Releases(saver=_called(saver), reader=_called(reader))
        claim = _claim(finding, direction, (saver, reader))
        reason = witness.why_none(finding, prover.not_shown)
        if not reason and direction == "forward" and prover.saved_under is not None:
            reason = f"only {_called(ends.head)} has this loader"
        models: dict[bytes, Candidate] = {}
        controls: dict[bytes, bytes] = {}
        if not reason:
            try:
                models = _models(claim, (saver, reader), writer)
                if finding.kind in prover.settled_by_run:
                    controls = dict(_controls(claim, models, (saver, reader), writer))
            except UnwritableError as error:
                reason = f"no model can be written: {error}"
        work = ClaimTrials(claim, releases, models, controls, prover.told)
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


def _controls(
    claim: Claim, models: Mapping[bytes, Candidate], specs: tuple[Spec, Spec], writer: Writer
) -> Iterator[tuple[bytes, bytes]]:
    """Yield models with their controls, those that have one."""
    saver, reader = specs
    for data, candidate in models.items():
        other = reader.ops.get(claim.finding.op or "")
        with contextlib.suppress(UnwritableError):
            sample = witness.control(candidate.sample, claim.finding, other, claim.names, writer)
            if sample is not None:
                yield data, writer.write(sample, saver)


def _written(sample: Sample, spec: Spec, writer: Writer) -> bytes | UnwritableError:
    try:
        return writer.write(sample, spec)
    except UnwritableError as error:
        return error


def _try(works: Sequence[ClaimTrials], trials: TrialCache) -> None:
    """Try the models of all works, more of them in each round, until each is shown or all its models are tried."""
    for most in _ROUNDS:
        following = [
            (work, work.models[len(work.trials) : most])
            for work in works
            if work.is_open and len(work.trials) < min(most, len(work.models))
        ]
        for side in SIDES:
            trials.ask(side, "load", (model for _, models in following for model in models))
        for work, models in following:
            saver, reader = work.sides
            work.trials += [(trials.told(saver, "load", each), trials.told(reader, "load", each)) for each in models]
            work.judge_loaded()

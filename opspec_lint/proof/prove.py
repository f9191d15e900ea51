"""The proof of findings by real loaders.

1. For each finding and direction, write the models that may show it (`witness.py`), and their controls.
2. Load them with both releases, a few of each claim per round, until each claim is decided (`judge.py`).
3. Run the models of claims that loading cannot decide (`running.py`), if the prover can.
"""

from __future__ import annotations

import contextlib

from opspec_lint.kit.record import Record
from opspec_lint.proof import witness
from opspec_lint.proof.claim_trials import ClaimTrials, Loads
from opspec_lint.proof.evidence import evidence_of
from opspec_lint.proof.judge import Claim, Judgement, Releases
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
"""The number of models of a claim that are tried up to each round; the first models decide most claims."""
_NOT_IN_MODELS = UnwritableError("no model stores it")


class ReleasePair(Record):
    """The specs that are compared, and the interpreter of each release, None without one."""

    base: Spec
    head: Spec
    base_setup: TrialSetup | None = None
    head_setup: TrialSetup | None = None

    def saver_and_reader(self, direction: Direction) -> tuple[Spec, Spec]:
        """Return the specs of the saving and of the loading release."""
        return (self.base, self.head) if direction == "backward" else (self.head, self.base)


class Proofs(Record):
    """The proofs of findings, and the numbers of models behind them."""

    proofs: tuple[Proof, ...]
    evidence: Evidence


def prove(
    findings: Iterable[Finding], ends: ReleasePair, prover: Prover, writer: Writer, progress: Callable[[str], None]
) -> Proofs:
    """Return a proof of each finding in each of its directions.

    Raises UsageError if an interpreter has another release than the spec, InputError if it cannot be run.
    """
    works = [work for finding in findings for work in _claim_trials(finding, ends, prover, writer)]
    if ends.base_setup is not None and ends.head_setup is not None:
        trials = TrialCache({"base": (ends.base, ends.base_setup), "head": (ends.head, ends.head_setup)}, progress)
        _load_in_rounds(works, trials)
        undecided = [work for work in works if _is_settled_by_run(work, prover)]
        if prover.able_to_run:
            run(undecided, trials)
        else:
            for work in undecided:
                work.leave_open()
    return Proofs(proofs=tuple(work.proof() for work in works), evidence=evidence_of(works))


def _is_settled_by_run(work: ClaimTrials, prover: Prover) -> bool:
    """Return whether only a run can decide: loading refuted the claim, but does not exercise its subject."""
    is_refuted = work.judgement is not None and work.judgement.verdict == "refuted"
    finding = work.claim.finding
    is_settled = finding.kind not in prover.settled_by_run or finding.event in prover.settled_by_load
    return is_refuted and not is_settled


def _claim_trials(finding: Finding, ends: ReleasePair, prover: Prover, writer: Writer) -> Iterator[ClaimTrials]:
    """Yield the trials to make for a finding, one per direction; without models, they have their judgement already."""
    directions: tuple[Direction, ...] = finding.directions or ("backward",)
    for direction in directions:
        saver, reader = ends.saver_and_reader(direction)
        releases = Releases(saver=_release_name(saver), reader=_release_name(reader))
        claim = _claim(finding, direction, (saver, reader))
        reason = witness.reason_without_model(finding, prover.not_shown)
        if not reason and direction == "forward" and prover.saved_under is not None:
            reason = f"only {_release_name(ends.head)} has this loader"
        models: dict[bytes, Candidate] = {}
        controls: dict[bytes, bytes] = {}
        if not reason:
            try:
                models = _models(claim, (saver, reader), writer)
                if finding.kind in prover.settled_by_run:
                    controls = dict(_controls(claim, models, (saver, reader), writer))
            except UnwritableError as error:
                reason = f"no model can be written: {error}"
        work = ClaimTrials(claim, releases, models, controls, prover.error_summary)
        if reason:
            work.judgement = Judgement(verdict="not_provable", reason=reason)
        yield work


def _release_name(spec: Spec) -> str:
    """Return the version of a spec, or else its file, for messages."""
    return spec.provenance.version or spec.file


def _claim(finding: Finding, direction: Direction, specs: tuple[Spec, Spec]) -> Claim:
    """Return the claim of a finding in a direction; `specs` belong to the saving and the loading release."""
    old, new = finding.name, finding.new_name or finding.name
    saved, loaded = (old, new) if direction == "backward" else (new, old)
    _, loading_spec = specs
    own = {old, new, *witness.deciding_attr_names(finding, specs)}
    ops = [op for spec in specs if (op := spec.ops.get(finding.op or ""))]
    others = {argument.name for op in ops for section in SECTIONS.values() for argument in getattr(op, section)}
    return Claim(
        finding=finding,
        direction=direction,
        names=(saved, loaded),
        own=frozenset(name for name in own if name),
        others=frozenset({*others, finding.op or ""} - own - {""}),
        is_declared=_declares(loading_spec, finding, loaded),
    )


def _declares(reader: Spec, finding: Finding, name: str | None) -> bool:
    """Return whether the loading release declares the argument of a finding, or may do so."""
    op = reader.ops.get(finding.op or "")
    section = section_of(finding.kind)
    return op is None or section is None or any(argument.name == name for argument in getattr(op, section))


def _models(claim: Claim, specs: tuple[Spec, Spec], writer: Writer) -> dict[bytes, Candidate]:
    """Return the candidates of a claim by the bytes of their models, the simplest first.

    Raises UnwritableError, with the reason, if no model can be written.
    """
    saver, reader = specs
    saved_name, _ = claim.names
    candidates = witness.candidates(claim.finding, saver, reader, writer, saved_name)
    written = [(_write(candidate.sample, saver, writer), candidate) for candidate in candidates]
    models: dict[bytes, Candidate] = {}
    for data, candidate in written:
        if isinstance(data, bytes):
            models.setdefault(data, candidate)  # of candidates with equal bytes, the simplest
    if not models:
        raise next((data for data, _ in written if isinstance(data, UnwritableError)), _NOT_IN_MODELS)
    return models


def _controls(
    claim: Claim, models: Mapping[bytes, Candidate], specs: tuple[Spec, Spec], writer: Writer
) -> Iterator[tuple[bytes, bytes]]:
    """Yield pairs of a model and its control, for models that have one."""
    saver, reader = specs
    for data, candidate in models.items():
        reader_op = reader.ops.get(claim.finding.op or "")
        with contextlib.suppress(UnwritableError):
            sample = witness.control(candidate.sample, claim.finding, reader_op, claim.names, writer)
            if sample is not None:
                yield data, writer.write(sample, saver)


def _write(sample: Sample, spec: Spec, writer: Writer) -> bytes | UnwritableError:
    """Return the bytes of a sample, or the error why there are none."""
    try:
        return writer.write(sample, spec)
    except UnwritableError as error:
        return error


def _load_in_rounds(works: Sequence[ClaimTrials], trials: TrialCache) -> None:
    """Load models of all claims, more per round, until each claim is decided or has no further model.

    All claims share a round, since the start of an interpreter takes longer than the load of a hundred models.
    """
    for most in _ROUNDS:
        following = [
            (work, work.models[len(work.trials) : most])
            for work in works
            if work.is_open and len(work.trials) < min(most, len(work.models))
        ]
        for side in SIDES:
            trials.try_models(side, "load", (model for _, models in following for model in models))
        for work, models in following:
            saver, reader = work.saver, work.reader
            work.trials += [
                Loads(saved=trials.trial_of(saver, "load", model), loaded=trials.trial_of(reader, "load", model))
                for model in models
            ]
            work.judge_loaded()

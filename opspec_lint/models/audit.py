"""The audit of a saved model: what becomes of it under a loader of a release, and why."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.kit.record import Record
from opspec_lint.lint.check import report as as_report
from opspec_lint.lint.judge import findings
from opspec_lint.lint.profile import NO_POLICY
from opspec_lint.models import decision
from opspec_lint.models import loader as loaders
from opspec_lint.models.decision import Row
from opspec_lint.models.fault import EFFECTS, NOT_FETCHED, not_fetched, unreadable
from opspec_lint.models.files import BrokenModelError, LfsPointerError, NoModelError, UnknownKindError
from opspec_lint.models.recognise import is_named_as_model, read_model
from opspec_lint.report.answers import UNKNOWN_KIND, answer
from opspec_lint.report.findings import Comparison, Side
from opspec_lint.spec.model import Origin, Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opspec_lint.models.loader import Loader, LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.report.answers import Answer, Verdict
    from opspec_lint.report.findings import Finding, Report
    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.model import Spec

WORDS: dict[Verdict, str] = {
    "loads": "loads in",
    "changed": "loads, but with a different meaning, in",
    "cannot_tell": "cannot be determined for",
    "fails_at_run": "loads, but fails when it runs, in",
    "refused": "is refused by",
    "unreadable": "is not a readable model for",
}
"""What becomes of a model, before the name of a release."""
_REASONS: dict[type[InputError], str] = {NoModelError: "no_model_file", UnknownKindError: UNKNOWN_KIND}
"""The reasons of paths that cannot be read, other than damaged files."""
_MOST = 1000
"""Findings of one audit, and nodes that are kept of one: what is wrong more often is said to be so."""


class Audit(Record):
    """What becomes of a model.

    `model` and `against` are what the caller called them. `verdict` is the worst that its findings lead to, `cause` the
    first finding that leads there, and `reason` its word. `written` is what is known of who wrote the model, `ops`
    how many ops it has, and `spec` what it was checked against. `nodes` are graph and name of each node that a finding
    is about, by its fingerprint.
    """

    model: str
    against: str
    loader: str | None
    verdict: Verdict
    reason: str | None = None
    cause: Finding | None = None
    findings: tuple[Finding, ...] = ()
    written: Provenance
    ops: int = 0
    spec: Spec
    nodes: Mapping[str, tuple[tuple[str, str], ...]] = {}

    @property
    def failed(self) -> bool:
        """Whether any finding that counts is an error."""
        return any(each.level == "error" and each.counts for each in self.findings)

    @property
    def answer(self) -> Answer:
        """The answer to "does the release load the model as it was saved?"."""
        return answer(self.verdict, self.reason)

    @property
    def row(self) -> Row:
        """The verdict as it counts for the exit code."""
        return Row(
            model=self.model,
            release=self.against,
            loader=self.loader,
            verdict=self.verdict,
            is_waived=decision.is_waived(self.findings),
        )


def sentence(audit: Audit) -> str:
    """Return what becomes of a model, in which release and by which loader: `loads in tensorflow 2.18.1 (LOADER)`."""
    loader = "" if audit.loader is None else f" ({audit.loader})"
    return f"{WORDS[audit.verdict]} {release_of(audit)}{loader}"


def release_of(audit: Audit) -> str:
    """Return the release of an audit, or what the caller called it where that is another name."""
    made = audit.spec.provenance
    name = f"{made.framework}@{made.version}"
    return name.replace("@", " ", 1) if audit.against == name else audit.against


def audit(
    path: str,
    specs: Sequence[tuple[str, Spec]],
    wanted: Sequence[Loader],
    asked: LoadOptions,
    *,
    skips_others: bool = False,
) -> Iterator[Audit]:
    """Yield the audit of a model for each spec and loader.

    Args:
        path: the model.
        specs: each spec with what the caller calls it.
        wanted: the loaders; none stands for those that take models of that format.
        asked: what the caller says to the loader.
        skips_others: whether a file that is no model, nor is called like one, is passed over, and so is a spec that no
            loader of the model goes by.

    Raises:
        UsageError: a spec is of another framework than the model, or than a loader.
    """
    if not skips_others:
        _require_specs_of(specs, wanted)
    formats = sorted({name for each in wanted for name in each.formats})
    try:
        model = read_model(path, () if skips_others else formats)
        if formats and model.format not in formats:
            return
        yield from of_model(model, specs, wanted, asked, skips_others=skips_others)
    except InputError as error:
        if not (skips_others and is_other(path, error)):
            yield from of_unread(path, specs, wanted, error)


def is_other(path: str, error: InputError) -> bool:
    """Tell whether a file that cannot be read as a model is none, nor called like one."""
    return isinstance(error, UnknownKindError) and not is_named_as_model(path)


def of_unread(
    path: str, specs: Sequence[tuple[str, Spec]], wanted: Sequence[Loader], error: InputError
) -> Iterator[Audit]:
    """Yield the audits of a model that cannot be read; the arguments are those of `audit`."""
    asked_for: list[Loader | None] = list(wanted) or [None]
    for target in specs:
        yield from (_unread(path, target, each, error) for each in asked_for)


def of_model(
    model: Model,
    specs: Sequence[tuple[str, Spec]],
    wanted: Sequence[Loader],
    asked: LoadOptions,
    *,
    skips_others: bool = False,
) -> Iterator[Audit]:
    """Yield the audit of a model that was read; the arguments are those of `audit`.

    Raises:
        UsageError: a spec is of another framework than the model, or the model has no loader.
        BrokenModelError: the model turns out to be damaged.
    """
    if not skips_others:
        if not wanted and not loaders.of_format(model.format):
            raise loaders.unknown_for(model)
        _require_saver_of(model, asked)
    for against, spec in specs:
        framework = spec.provenance.framework
        chosen = list(wanted) or loaders.of_format(model.format, framework)
        if framework != model.framework and not any(each.judged_by == framework for each in chosen):
            if skips_others:
                continue
            raise _wrong_spec(against, spec, f"{model.file} needs a spec of {model.framework}")
        for each in chosen:
            yield _audit(model, (against, spec), each, asked)


def _require_specs_of(specs: Sequence[tuple[str, Spec]], wanted: Sequence[Loader]) -> None:
    """Refuse a spec that a loader does not go by.

    Raises:
        UsageError: a loader goes by specs of another kind.
    """
    for against, spec in specs:
        for each in wanted:
            if spec.provenance.framework not in (each.judged_by, each.framework):
                raise _wrong_spec(against, spec, f"the loader {each.name} goes by a spec of {each.judged_by}")


def _wrong_spec(against: str, spec: Spec, needed: str) -> UsageError:
    """Return the error for a spec that does not fit the models of an audit."""
    from opspec_lint.spec.interface.declarations import is_interface

    if is_interface(spec.provenance):
        advice = "name the spec of a release; `opspec-lint check OLD NEW` compares two models"
        return UsageError(f"{against} is a saved model, and not the spec of a release", advice=advice)
    advice = "name a spec of that framework; `opspec-lint specs` lists the released ones"
    return UsageError(f"{needed}, and {against} is one of {spec.provenance.framework}", advice=advice)


def _require_saver_of(model: Model, asked: LoadOptions) -> None:
    """Refuse a spec of the saver that is of another framework than the model.

    Raises:
        UsageError: the spec is of another framework.
    """
    for option, spec in (("--saved-by", asked.saved_by), ("--producer-ops", asked.producer_ops)):
        if spec is not None and spec.provenance.framework != model.framework:
            problem = f"{model.file} is a model of {model.framework}, and {option} names a spec of "
            raise UsageError(problem + str(spec.provenance.framework), advice="name a spec of the model's framework")


def _unread(path: str, target: tuple[str, Spec], loader: Loader | None, error: InputError) -> Audit:
    against, spec = target
    is_pointer = isinstance(error, LfsPointerError)
    reason = next((reason for kind, reason in _REASONS.items() if isinstance(error, kind)), "parse")
    problem = error.message if error.message.startswith(path) else f"{path}: {error.message}"
    remedy = error.advice or "name the file or folder of a saved model"
    fault = not_fetched(error.file) if is_pointer else unreadable(path, problem, remedy)
    return Audit(
        model=path,
        against=against,
        loader=None if loader is None else loader.name,
        verdict="cannot_tell" if is_pointer else "unreadable",
        reason=None if is_pointer else reason,
        findings=tuple(
            findings(fault.replace(origins=(None, Origin(file=path))), NO_POLICY, spec.provenance.framework)
        ),
        written=Provenance(framework=spec.provenance.framework),
        spec=spec,
    )


def _audit(model: Model, target: tuple[str, Spec], loader: Loader, asked: LoadOptions) -> Audit:
    against, spec = target
    try:
        faults = gathered(loader.audit(model, spec, asked), model.file)
    except BrokenModelError:
        raise
    except InputError as error:
        return _unread(model.file, target, loader, error)
    verdict: Effect = "loads"
    reason = None
    cause = None
    for number, fault in enumerate(faults):
        if fault.effect is not None and EFFECTS.index(fault.effect) > EFFECTS.index(verdict):
            verdict, reason, cause = fault.effect, fault.reason, number
    if verdict == "loads" and any(fault.event == NOT_FETCHED for fault in faults):
        verdict = "cannot_tell"
    found = [tuple(findings(each, NO_POLICY, spec.provenance.framework)) for each in faults]
    return Audit(
        model=model.file,
        against=against,
        loader=loader.name,
        verdict=verdict,
        reason=reason,
        cause=None if cause is None else next(iter(found[cause]), None),
        findings=tuple(finding for each in found for finding in each),
        nodes={
            finding.fingerprint: fault.places for fault, each in zip(faults, found, strict=True) for finding in each
        },
        written=Provenance(
            framework=model.framework, version=next((each.written_by for each in model.meta_graphs), None)
        ),
        ops=len({op for meta in model.meta_graphs for graph in meta.graphs for op in graph.distinct_ops()}),
        spec=spec,
    )


def gathered(faults: Iterable[Fact], file: str | None = None) -> list[Fact]:
    """Return the faults of a file; those that are the same at several nodes are one, with their number."""
    found: dict[tuple[object, ...], Fact] = {}
    counts: dict[tuple[object, ...], int] = {}
    places: dict[tuple[object, ...], list[tuple[str, str]]] = {}
    for each in faults:
        key = each.event, each.op, each.name, each.effect, each.reason, repr(each.old), repr(each.new)
        if key not in found:
            if len(found) >= _MOST:
                continue
            found[key], counts[key], places[key] = each, 0, []
        counts[key] += each.nodes
        if each.node is not None and len(places[key]) < _MOST:
            places[key].append((each.graph or "", each.node))
    origins = (None, None if file is None else Origin(file=file))
    return [
        each.replace(origins=origins, nodes=max(1, counts[key]), places=tuple(places[key]))
        for key, each in found.items()
    ]


def report(audits: Sequence[Audit]) -> Report:
    """Return audits as a report of comparisons, a model against a spec each, for the formats that code hosts read."""
    comparisons = (
        Comparison(
            base=Side(file=each.model, provenance=each.written, ops=each.ops),
            head=Side(file=each.against, provenance=each.spec.provenance, ops=len(each.spec.ops)),
            profile=each.loader or "",
            findings=each.findings,
            verdict=sentence(each),
            outcome=each.verdict,
        )
        for each in audits
    )
    return as_report(*comparisons)

"""The audit of saved models: the verdict on a model under a loader of a release, with its findings.

Steps: read the model; let the loader yield its faults; merge equal faults of several nodes; make the worst effect of a
fault the verdict.
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.kit.record import Record
from opspec_lint.lint.check import report as as_report
from opspec_lint.lint.judge import findings
from opspec_lint.lint.profile import NO_POLICY
from opspec_lint.models import decision
from opspec_lint.models.decision import VerdictRow
from opspec_lint.models.fault import EFFECTS, MAX_FINDINGS, NOT_FETCHED, not_fetched, unreadable
from opspec_lint.models.files import BrokenModelError, LfsPointerError, NoModelError, UnknownKindError
from opspec_lint.models.loader import loaders_for, no_loader_error
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

VERDICT_TEXTS: dict[Verdict, str] = {
    "loads": "loads in",
    "changed": "loads, but with a different meaning, in",
    "cannot_tell": "cannot be determined for",
    "fails_at_run": "loads, but fails when it runs, in",
    "refused": "is refused by",
    "unreadable": "is not a readable model for",
}
"""The text of each verdict, to be followed by the name of a release."""
_REASONS: dict[type[InputError], str] = {NoModelError: "no_model_file", UnknownKindError: UNKNOWN_KIND}
"""The reasons for paths that cannot be read, other than damaged files."""


class Audit(Record):
    """The result of one audit: a model, a spec, a loader, and the verdict with its findings.

    `model` and `against` are the names that the caller gave to the model and the spec. `verdict` is the worst effect of
    the findings, `cause` the first finding with this effect, and `reason` its short code, such as `parse`. `written` is
    the framework and version that wrote the model, `ops` the number of different ops in it. `nodes` maps the
    fingerprint of a finding to the (graph, node) names that it concerns.
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
        """True if any finding that is not waived is an error."""
        return any(finding.level == "error" and finding.counts for finding in self.findings)

    @property
    def answer(self) -> Answer:
        """The answer to "does the release load the model as it was saved?"."""
        return answer(self.verdict, self.reason)

    @property
    def row(self) -> VerdictRow:
        """The verdict as it counts for the exit code."""
        return VerdictRow(
            model=self.model,
            release=self.against,
            loader=self.loader,
            verdict=self.verdict,
            is_waived=decision.is_waived(self.findings),
        )


def verdict_sentence(audit: Audit) -> str:
    """Return the verdict of an audit as text, such as `loads in tensorflow 2.18.1 (LOADER)`."""
    loader = "" if audit.loader is None else f" ({audit.loader})"
    return f"{VERDICT_TEXTS[audit.verdict]} {release_name(audit)}{loader}"


def release_name(audit: Audit) -> str:
    """Return the release of an audit as `FRAMEWORK VERSION`, or the caller's name for a spec of no release."""
    made = audit.spec.provenance
    name = f"{made.framework}@{made.version}"
    return name.replace("@", " ", 1) if audit.against == name else audit.against


def audit(
    path: str,
    specs: Sequence[tuple[str, Spec]],
    loaders: Sequence[Loader],
    options: LoadOptions,
    *,
    skip_foreign: bool = False,
) -> Iterator[Audit]:
    """Yield the audit of one model for each spec and loader.

    Args:
        path: the model.
        specs: each spec with the name that the caller uses for it.
        loaders: the loaders; if empty, the default loaders of the model's format.
        options: the options of the load.
        skip_foreign: skip, instead of reporting, a file that is no model and has no model's name, and a spec that no
            loader of the model uses. It is set when a folder is searched for models.

    Raises:
        UsageError: a spec belongs to another framework than the model, or than a loader.
    """
    if not skip_foreign:
        _require_specs_of(specs, loaders)
    # With one format the reader does not have to recognise the file, and reports why it is not in this format.
    formats = sorted({name for loader in loaders for name in loader.formats})
    try:
        model = read_model(path, () if skip_foreign else formats)
        if skip_foreign and formats and model.format not in formats:
            return
        yield from audit_model(model, specs, loaders, options, skip_foreign=skip_foreign)
    except InputError as error:
        if not (skip_foreign and is_no_model(path, error)):
            yield from audit_unreadable(path, specs, loaders, error)


def is_no_model(path: str, error: InputError) -> bool:
    """Return True if a read error means that a file is no model, and its name does not promise one either."""
    return isinstance(error, UnknownKindError) and not is_named_as_model(path)


def audit_unreadable(
    path: str, specs: Sequence[tuple[str, Spec]], loaders: Sequence[Loader], error: InputError
) -> Iterator[Audit]:
    """Yield the audits of a model that cannot be read, one per spec and loader. For the arguments, see `audit`."""
    named_loaders: list[Loader | None] = list(loaders) or [None]
    for target in specs:
        yield from (_unreadable_audit(path, target, loader, error) for loader in named_loaders)


def audit_model(
    model: Model,
    specs: Sequence[tuple[str, Spec]],
    loaders: Sequence[Loader],
    options: LoadOptions,
    *,
    skip_foreign: bool = False,
) -> Iterator[Audit]:
    """Yield the audits of a model that is already read. For the arguments, see `audit`.

    Raises:
        UsageError: a spec belongs to another framework than the model, or the model has no loader.
        BrokenModelError: damage shows in a part of the model that is read only now.
    """
    if not skip_foreign:
        if not loaders_for(model.format, named=loaders):
            raise no_loader_error(model, loaders)
        _require_saver_of(model, options)
    for against, spec in specs:
        framework = spec.provenance.framework
        chosen = loaders_for(model.format, framework, named=loaders)
        if framework != model.framework and not any(loader.spec_framework == framework for loader in chosen):
            if skip_foreign:
                continue
            raise _wrong_spec(against, spec, f"{model.file} needs a spec of {model.framework}")
        for loader in chosen:
            yield _audit_with(model, (against, spec), loader, options)


def _require_specs_of(specs: Sequence[tuple[str, Spec]], loaders: Sequence[Loader]) -> None:
    """Raise UsageError if a spec is of use to none of the loaders, or a loader has no spec."""
    for against, spec in specs:
        if loaders and not any(loader.uses(spec.provenance.framework) for loader in loaders):
            raise _unused_by(loaders[0], against, spec)
    if not specs:
        return
    for loader in loaders:
        if not any(loader.uses(spec.provenance.framework) for _, spec in specs):
            raise _unused_by(loader, *specs[0])


def _unused_by(loader: Loader, against: str, spec: Spec) -> UsageError:
    """Return the error for a spec that a loader cannot use."""
    return _wrong_spec(against, spec, f"the loader {loader.name} needs a spec of {loader.spec_framework}")


def _wrong_spec(against: str, spec: Spec, needed: str) -> UsageError:
    """Return the error for a spec that does not fit the models of an audit."""
    from opspec_lint.spec.interface.declarations import is_interface

    if is_interface(spec.provenance):
        advice = "name the spec of a release; `opspec-lint check OLD NEW` compares two models"
        return UsageError(f"{against} is a saved model, and not the spec of a release", advice=advice)
    advice = "name a spec of that framework; `opspec-lint specs` lists the released ones"
    return UsageError(f"{needed}, and {against} is one of {spec.provenance.framework}", advice=advice)


def _require_saver_of(model: Model, options: LoadOptions) -> None:
    """Raise UsageError if `--saved-by` or `--producer-ops` name a spec of another framework than the model's."""
    for option, spec in (("--saved-by", options.saved_by), ("--producer-ops", options.producer_ops)):
        if spec is not None and spec.provenance.framework != model.framework:
            problem = f"{model.file} is a model of {model.framework}, and {option} names a spec of "
            raise UsageError(problem + str(spec.provenance.framework), advice="name a spec of the model's framework")


def _unreadable_audit(path: str, target: tuple[str, Spec], loader: Loader | None, error: InputError) -> Audit:
    """Return the audit of a model that cannot be read; a git-lfs pointer is unknown, everything else unreadable."""
    against, spec = target
    is_pointer = isinstance(error, LfsPointerError)
    reason = next((reason for kind, reason in _REASONS.items() if isinstance(error, kind)), "parse")
    # An error in another file of the model, such as its weights, names that file.
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


def _audit_with(model: Model, target: tuple[str, Spec], loader: Loader, options: LoadOptions) -> Audit:
    """Return the audit of a model for one loader and one spec; `target` is the spec with its name for the user.

    The fault with the worst effect decides the verdict; of several, the first one.
    """
    against, spec = target
    try:
        faults = merge_faults(loader.audit(model, spec, options), model.file)
    # The whole model is damaged, not only this combination of spec and loader: the caller reports it once.
    except BrokenModelError:
        raise
    except InputError as error:
        return _unreadable_audit(model.file, target, loader, error)
    verdict: Effect = "loads"
    deciding_index = None
    for index, fault in enumerate(faults):
        if fault.effect is not None and EFFECTS.index(fault.effect) > EFFECTS.index(verdict):
            verdict, deciding_index = fault.effect, index
    # A pointer of git-lfs is no fault, so that it adds no finding that blocks; but the file behind it may hold a fault.
    if verdict == "loads" and any(fault.event == NOT_FETCHED for fault in faults):
        verdict = "cannot_tell"
    findings_by_fault = [tuple(findings(fault, NO_POLICY, spec.provenance.framework)) for fault in faults]
    return Audit(
        model=model.file,
        against=against,
        loader=loader.name,
        verdict=verdict,
        reason=None if deciding_index is None else faults[deciding_index].reason,
        cause=None if deciding_index is None else next(iter(findings_by_fault[deciding_index]), None),
        findings=tuple(finding for of_fault in findings_by_fault for finding in of_fault),
        nodes={
            finding.fingerprint: fault.places
            for fault, of_fault in zip(faults, findings_by_fault, strict=True)
            for finding in of_fault
        },
        written=Provenance(
            framework=model.framework, version=next((meta.written_by for meta in model.meta_graphs), None)
        ),
        ops=len({op for meta in model.meta_graphs for graph in meta.graphs for op in graph.distinct_ops()}),
        spec=spec,
    )


def merge_faults(faults: Iterable[Fact], file: str | None = None) -> list[Fact]:
    """Merge the faults that differ only by node into one fault, with the number of nodes and their names.

    Beyond `MAX_FINDINGS` faults, only one that decides the verdict is kept: it is worse than all before it, or the
    first that says that a file was not fetched.
    """
    merged: dict[tuple[object, ...], Fact] = {}
    counts: dict[tuple[object, ...], int] = {}
    places: dict[tuple[object, ...], list[tuple[str, str]]] = {}
    worst = -1
    is_fetched = True
    for fault in faults:
        # Facts may have values that cannot be hashed, such as lists; their texts can.
        values = "" if fault.old is None and fault.new is None else repr((fault.old, fault.new))
        key = fault.event, fault.op, fault.name, fault.effect, fault.reason, values
        if key not in merged:
            severity = -1 if fault.effect is None else EFFECTS.index(fault.effect)
            decides = severity > worst or (is_fetched and fault.event == NOT_FETCHED)
            if len(merged) >= MAX_FINDINGS and not decides:
                continue
            worst = max(worst, severity)
            is_fetched = is_fetched and fault.event != NOT_FETCHED
            merged[key], counts[key], places[key] = fault, 0, []
        counts[key] += fault.nodes
        if fault.node is not None and len(places[key]) < MAX_FINDINGS:
            places[key].append((fault.graph or "", fault.node))
    origins = (None, None if file is None else Origin(file=file))
    return [
        fault.replace(origins=origins, nodes=max(1, counts[key]), places=tuple(places[key]))
        for key, fault in merged.items()
    ]


def audit_report(audits: Sequence[Audit], general: tuple[Finding, ...] = ()) -> Report:
    """Return audits as a report with one comparison (model, spec) per audit, for the reporters of code hosts.

    `general` are the findings that concern no model.
    """
    comparisons = (
        Comparison(
            base=Side(file=audit.model, provenance=audit.written, ops=audit.ops),
            head=Side(file=audit.against, provenance=audit.spec.provenance, ops=len(audit.spec.ops)),
            profile=audit.loader or "",
            findings=audit.findings,
            verdict=verdict_sentence(audit),
            outcome=audit.verdict,
        )
        for audit in audits
    )
    return as_report(*comparisons, general=general)

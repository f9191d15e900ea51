"""The audit of models under named or all releases: the core of `audit` on the command line and in Python."""

from __future__ import annotations

from functools import cache, partial

from opspec_lint.kit.errors import CLEAN, FAILED, InputError, OpspecError, UsageError
from opspec_lint.kit.record import Record
from opspec_lint.models import audit as model_audit
from opspec_lint.models import audit_html, audit_json, audit_text
from opspec_lint.models.decision import Decision, Requirement, decide, with_unknown_level
from opspec_lint.models.loader import LoadOptions, spec_families
from opspec_lint.report.reporter import REPORTERS
from opspec_lint.sources import references, released
from opspec_lint.sources.libraries import Libraries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.loader import Loader
    from opspec_lint.models.reach import ReleaseReach
    from opspec_lint.report.findings import Finding
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

_OWN = {"text": audit_text.render, "json": audit_json.render}
"""The formats that an audit has a text of its own in, besides the page."""


class Auditing(Record):
    """The options of an audit of models.

    `loaders` are the loaders, none for those that take models of a format. `load_options` are their arguments.
    `libraries` are loaded into each release. `skip_foreign`: pass over files that are no models, and models of another
    framework.
    """

    loaders: tuple[Loader, ...] = ()
    load_options: LoadOptions = LoadOptions()
    libraries: Libraries = Libraries()
    skip_foreign: bool = False


class Audited(Record):
    """Audits, the releases between which each model loads, and the errors of models that cannot be read.

    `general` are the findings about the waivers themselves.
    """

    audits: tuple[Audit, ...] = ()
    reaches: tuple[ReleaseReach, ...] = ()
    failed: tuple[InputError, ...] = ()
    general: tuple[Finding, ...] = ()

    def require_used(self, loaders: Sequence[Loader]) -> None:
        """Raise UsageError if one of the named loaders takes none of the models."""
        used = {audit.loader for audit in self.audits}
        unused = [] if self.failed else [loader for loader in loaders if loader.name not in used]
        if unused and self.audits:
            formats = " or ".join(unused[0].formats)
            problem = f"--loader {unused[0].name} takes none of the models; it loads {formats}"
            raise UsageError(problem, advice="remove it, or name such a model")

    def apply_waivers(self, path: str, today: str) -> Audited:
        """Return the audits with the findings that a file of waivers clears marked as waived."""
        from opspec_lint.lint.steps import Steps
        from opspec_lint.lint.waivers import Waivers
        from opspec_lint.project import waiver_file

        waivers = Waivers(waiver_file.read(path), today)
        steps = Steps(waived=waivers.waiver_step([finding for audit in self.audits for finding in audit.findings]))
        return self.replace(
            audits=tuple(audit.replace(findings=steps.apply_to(audit.findings)) for audit in self.audits),
            general=waivers.findings_of_entries(),
        )

    def apply_requirement(self, requirement: Requirement) -> tuple[Audited, Decision]:
        """Return the audits, whose findings of unknown answers get the level that is required, and the decision."""
        decision = decide((audit.row for audit in self.audits), requirement)
        audits = tuple(
            audit.replace(findings=with_unknown_level(audit.findings, requirement.unknown)) for audit in self.audits
        )
        # A model that cannot be read has no row, so that the decision does not know of it.
        errors = (f"error: {error.line}" for error in self.failed)
        code = max(decision.code, FAILED if self.failed else CLEAN)
        decision = Decision(code=code, remarks=(*errors, *decision.remarks)).with_general(self.general)
        return self.replace(audits=audits), decision

    def rendered(self, format_name: str, site: str | None = None) -> str:
        """Return the audits in an output format; a page links the ops to the site at an address."""
        if format_name == "html":
            return audit_html.render(self.audits, self.reaches, site)
        if format_name in _OWN:
            return _OWN[format_name](self.audits, self.reaches)
        return REPORTERS.load(format_name).render(model_audit.audit_report(self.audits, self.general))


def under_named(paths: Sequence[str], specs: Mapping[str, Spec], options: Auditing) -> Audited:
    """Return the audits of models under some specs, which the keys name.

    Raises:
        UsageError: a spec is of another framework than a model, or no loader takes a model.
    """
    return Audited(audits=tuple(_under_named(paths, specs, options)))


def _under_named(paths: Sequence[str], specs: Mapping[str, Spec], options: Auditing) -> Iterator[Audit]:
    for path in paths if specs else ():
        yield from model_audit.audit(
            path, list(specs.items()), options.loaders, options.load_options, skip_foreign=options.skip_foreign
        )


def under_all(paths: Sequence[str], required: Mapping[str, Spec], options: Auditing) -> Audited:
    """Return the audits under every included release that a loader of the model goes by.

    `required` are further specs.

    Raises:
        OpspecError: no model can be read.
        UsageError: a required spec is of another framework than a model.
    """
    # Read at the first model that needs the release, and once for all models.
    read_release = cache(partial(_release_with_libraries, options))
    outcomes = [_under_known(path, read_release, required, options) for path in paths]
    failed = [outcome for outcome in outcomes if isinstance(outcome, InputError)]
    # One damaged model must not hide the answers about the others: it is an error only if all are.
    if failed and len(failed) == len(outcomes):
        raise unreadable_error(failed)
    known = [outcome for outcome in outcomes if not isinstance(outcome, InputError)]
    return Audited(
        audits=tuple(audit for audits, _ in known for audit in audits),
        reaches=tuple(reach for _, reaches in known for reach in reaches),
        failed=tuple(failed),
    )


def _release_with_libraries(options: Auditing, name: str) -> Spec | None:
    """Return a released spec with the ops of the libraries; None if there is no such release."""
    spec = options.load_options.released(name)
    return None if spec is None else options.libraries.added_to(spec)


def _under_known(
    path: str, read_release: Callable[[str], Spec | None], required: Mapping[str, Spec], options: Auditing
) -> tuple[list[Audit], list[ReleaseReach]] | InputError:
    """Return the audits of a model under the releases that its loaders go by, and under further `required` specs.

    The releases between which it loads follow from the first ones. Returns an error if the model cannot be read.
    """
    from opspec_lint.models.reach import compute_reaches
    from opspec_lint.models.recognise import read_model

    skip_foreign = options.skip_foreign
    formats = sorted({name for loader in options.loaders for name in loader.formats})
    try:
        model = read_model(path, () if skip_foreign else formats)
        names = released.names(spec_families(model.format))
        releases = [(name, spec) for name in names if (spec := read_release(name)) is not None]
        others = [(name, spec) for name, spec in required.items() if name not in names]
        audits, more = (
            list(
                model_audit.audit_model(model, specs, options.loaders, options.load_options, skip_foreign=skip_foreign)
            )
            for specs in (releases, others)
        )
        return audits + more, list(compute_reaches(model, audits))
    except InputError as error:
        return ([], []) if skip_foreign and model_audit.is_no_model(path, error) else error


def unreadable_error(failed: Sequence[InputError]) -> OpspecError:
    """Return one error that names all models that cannot be read."""
    first, *others = failed
    return OpspecError(first.message, advice=first.advice, others=tuple(others), file=first.file, place=first.place)


def released_by(reading: Reading) -> Callable[[str], Spec | None]:
    """Return a function that returns the spec of a release that is included, None for another release."""
    from opspec_lint.documents.memo import Memo

    # Neighbouring releases have most ops in common, which are decoded and validated once. The memo knows records by
    # their ids, so all specs stay in the cache.
    shared = reading.replace(memo=Memo())
    return cache(lambda name: references.resolve(name, shared).spec if name in released.names() else None)

"""The comparison of audit verdicts with real loads by installed releases.

A `VerifiedRow` has, for one model, release and loader, the verdict of the audit beside the outcome of the real loader,
and whether they agree.
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.models.audit import audit_model
from opspec_lint.models.loader import LOADERS, loaders_for
from opspec_lint.proof import trial
from opspec_lint.proof.trial import TrialSetup
from opspec_lint.proof.verifier import VERIFIERS
from opspec_lint.report.answers import answer
from opspec_lint.sources import references, released
from opspec_lint.sources.source import SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.loader import Loader, LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.proof.trial import Trial
    from opspec_lint.proof.verifier import Verifier
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

    Agreement: TypeAlias = Literal["agrees", "differs", "unknown"]

AGREEMENTS: tuple[Agreement, ...] = ("agrees", "differs", "unknown")
_NOT_TRIED = "NotTriedError: "
_NOT_MEASURED = ("hung", "out_of_memory")
"""Outcomes that depend on the machine, not on the release."""


class VerifiedRow(Record):
    """The audit verdict on a model under a release, and the outcome of the real loader.

    `reason` is the finding behind the verdict, `error` the message of the loader; "" for none.
    """

    model: str
    release: str
    loader: str
    verdict: str
    outcome: str
    agreement: Agreement
    reason: str = ""
    error: str = ""


class Verification(Record):
    """Models to verify, the loaders to try (none for all), and the options for reading specs and interpreters."""

    models: tuple[Model, ...]
    loaders: tuple[Loader, ...] = ()
    options: LoadOptions
    specs: tuple[tuple[str, Spec], ...] = ()
    reading: Reading
    environment: Mapping[str, str] = {}


def verify_models(
    task: Verification, pythons: Sequence[str], progress: Callable[[str], None], remark: Callable[[str], None]
) -> Iterator[VerifiedRow]:
    """Yield a row for each model, release and loader.

    `pythons` are the interpreters of the releases. `progress` is called before each long step, `remark` with each
    release that cannot be verified. Raises InputError if an interpreter cannot be run, or has no framework of a model.
    """
    for python in pythons:
        missing: InputError | None = None
        is_tried = False
        for loader, models in _loaders(task):
            progress(f"loading {len(models)} models with {loader.name} of {python}")
            try:
                rows = _rows(task, python, loader, models, progress)
            except _NoFrameworkError as error:
                missing = error
                continue
            is_tried = True
            if rows is None:
                remark(f"{python}: no spec of {loader.families[0]} for its release; name one with --against")
            yield from rows or ()
        # The models may be of several frameworks, and an interpreter has seldom all of them: one is enough.
        if missing is not None and not is_tried:
            raise missing


class _NoFrameworkError(InputError):
    """An interpreter lacks the framework of a loader."""


def _loaders(task: Verification) -> Iterator[tuple[Loader, list[Model]]]:
    """Yield the loaders that have a verifier, each with the models for it."""
    for name in VERIFIERS.names():
        loader = LOADERS.load(name)
        models = [model for model in task.models if _takes(task, loader, model)]
        if models:
            yield loader, models


def _takes(task: Verification, loader: Loader, model: Model) -> bool:
    """Return whether a loader is to be tried on a model."""
    if task.loaders:
        return loader in task.loaders and model.format in loader.formats
    return loader in loaders_for(model.format, loader.spec_framework)


def _rows(
    task: Verification, python: str, loader: Loader, models: Sequence[Model], progress: Callable[[str], None]
) -> list[VerifiedRow] | None:
    """Return the rows of a loader in an interpreter; None if no spec of its release is known.

    Raises _NoFrameworkError if the interpreter lacks the framework of the loader.
    """
    from pathlib import Path

    verifier = VERIFIERS.load(loader.name)
    setup = TrialSetup(
        python=python,
        probe=verifier.probe(),
        package=verifier.package,
        environment=task.environment,
        step="load_path",
    )
    try:
        tried = trial.try_all(setup, [Path(model.file) for model in models], progress)
    except InputError as error:
        if error.problem == f"has no {verifier.package.title}":
            raise _NoFrameworkError(error.file, error.problem, advice=error.advice) from None
        raise
    # Wheels for a device have a local label, as in 2.6.0+cu121; specs do not.
    target = _target(task, loader, tried.version.partition("+")[0], python)
    if target is None:
        return None
    audited = [
        (audit, model, outcome)
        for model, outcome in zip(models, tried.trials, strict=True)
        for audit in audit_model(model, [target], [loader], task.options)
    ]
    late = [model.file for audit, model, outcome in audited if audit.verdict == "fails_at_run" and outcome.loads]
    ran = _run_models(setup, late, progress) if verifier.runs and late else {}
    return [_row(audit, ran.get(model.file, outcome), verifier) for audit, model, outcome in audited]


def _run_models(setup: TrialSetup, files: Sequence[str], progress: Callable[[str], None]) -> dict[str, Trial]:
    """Return the trials of running models, without those that cannot be run as they are."""
    from pathlib import Path

    tried = trial.try_all(setup.replace(step="run_path"), [Path(file) for file in files], progress)
    outcomes = zip(files, tried.trials, strict=True)
    return {file: outcome for file, outcome in outcomes if not outcome.error.startswith(_NOT_TRIED)}


def _target(task: Verification, loader: Loader, version: str, python: str) -> tuple[str, Spec] | None:
    """Return the name and the spec of a release: of the user, else included, else read from the interpreter."""
    for name, spec in task.specs:
        if spec.provenance.version == version and spec.provenance.framework in (
            loader.spec_framework,
            loader.framework,
        ):
            return name, spec
    known = released.names(set(loader.families))
    names = [f"{family}@{version}" for family in loader.families]
    sources = [f"{family}-runtime:{python}" for family in loader.families if f"{family}-runtime" in SOURCES]
    chosen = next((name for name in names if name in known), None) or next(iter(sources), None)
    return None if chosen is None else (chosen, references.resolve(chosen, task.reading).spec)


def _row(audit: Audit, outcome: Trial, verifier: Verifier) -> VerifiedRow:
    """Return the row of an audit and the trial of the same model."""
    is_tried = not outcome.error.startswith(_NOT_TRIED)
    return VerifiedRow(
        model=audit.model,
        release=audit.against,
        loader=audit.loader or "",
        verdict=audit.verdict,
        outcome=outcome.outcome if is_tried else "not_tried",
        agreement=agreement(audit, outcome, covers_run=verifier.covers_run) if is_tried else "unknown",
        reason="" if audit.cause is None else audit.cause.message,
        error=" ".join(outcome.error.removeprefix(_NOT_TRIED).split()),
    )


def agreement(audit: Audit, outcome: Trial, *, covers_run: bool) -> Agreement:
    """Return whether an audit verdict agrees with a real load.

    A changed meaning does not stop a load, so "changed" agrees with a model that loads. `covers_run`: the call of the
    loader also makes the checks that precede a kernel.
    """
    if answer(audit.verdict, audit.reason) == "unknown" or outcome.outcome in _NOT_MEASURED:
        return "unknown"
    stops = audit.verdict in ("refused", "unreadable") or (covers_run and audit.verdict == "fails_at_run")
    return "differs" if stops == outcome.loads else "agrees"

"""Stored models under a later release: loaded by its loader, or else audited by its spec."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.proof import trial
from opspec_lint.proof.judge import is_same
from opspec_lint.proof.trial_cache import check_release

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opspec_lint.proof.store import StoredModel
    from opspec_lint.proof.trial import TrialSetup
    from opspec_lint.spec.model import Spec


class LaterResult(Record):
    """The verdict on a stored model under a later release, with its reason.

    The verdict is an outcome of a trial, or "changed"; without an interpreter it is the verdict of an audit.
    """

    model: StoredModel
    verdict: str
    reason: str = ""

    @property
    def is_taken(self) -> bool:
        """The model loads with unchanged meaning."""
        return self.verdict == "loads"


def later_results(
    models: Sequence[StoredModel],
    head: Spec,
    loader_and_setup: tuple[str, TrialSetup | None],
    error_summary: Callable[[str], str],
    progress: Callable[[str], None],
) -> list[LaterResult]:
    """Return the verdicts on stored models under the release of `head`, in input order.

    `loader_and_setup` are the name of the loader and its interpreter, None to audit by the spec. `progress` is called
    with a message before each long step. Raises UsageError if the interpreter has another release.
    """
    loader, setup = loader_and_setup
    if setup is None:
        return list(_audit_models(models, head, loader))
    trials = trial.load_all(setup, [model.data for model in models], progress)
    # Only now: the interpreter states its version when it imports the framework.
    check_release(trials.version, head, setup)
    return [
        _compare_attrs(model, tried.attrs)
        if tried.loads
        else LaterResult(model=model, verdict=tried.outcome, reason=error_summary(tried.error))
        for model, tried in zip(models, trials.trials, strict=True)
    ]


def _compare_attrs(model: StoredModel, attrs: Mapping[str, str]) -> LaterResult:
    """Return "changed" for a model with another value of an attr than under its own release, else "loads"."""
    for name, before in (model.attrs or {}).items():
        after = attrs.get(name)
        if after is not None and not is_same(before, after):
            reason = f"{model.release} takes {name!r} as {before}, this release as {after}"
            return LaterResult(model=model, verdict="changed", reason=reason)
    return LaterResult(model=model, verdict="loads")


def _audit_models(models: Sequence[StoredModel], head: Spec, loader: str) -> Iterator[LaterResult]:
    """Yield the verdict of an audit of each model by the spec of a release."""
    from opspec_lint.models.audit import audit
    from opspec_lint.models.loader import LOADERS, LoadOptions

    for model in models:
        for verdict in audit(model.file, [(head.file, head)], [LOADERS.load(loader)], LoadOptions()):
            reason = next(
                (finding.message for finding in verdict.findings if finding.level == "error"), verdict.reason or ""
            )
            yield LaterResult(model=model, verdict=verdict.verdict, reason=reason)

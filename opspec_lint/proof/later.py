"""What becomes of stored models under a later release: by its loader, or else by what its spec says of them."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.proof import trial
from opspec_lint.proof.judge import is_same
from opspec_lint.proof.trial_cache import check_release

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opspec_lint.proof.store import Stored
    from opspec_lint.proof.trial import TrialSetup
    from opspec_lint.spec.model import Spec


class Fate(Record):
    """What becomes of a stored model: the verdict, and why.

    The verdict is an outcome of a trial, "changed", or one of an audit where nobody tried it.
    """

    model: Stored
    verdict: str
    reason: str = ""

    @property
    def is_taken(self) -> bool:
        """Whether it loads, and means the same."""
        return self.verdict == "loads"


def fates(
    models: Sequence[Stored],
    head: Spec,
    asked: tuple[str, TrialSetup | None],
    told: Callable[[str], str],
    progress: Callable[[str], None],
) -> list[Fate]:
    """Return the fates of stored models under a release.

    Args:
        models: the models.
        head: the spec of the release.
        asked: the name of its loader, and where it is asked: None to judge by its spec.
        told: returns what of an error says what is wrong.
        progress: is told what is being done.

    Raises:
        UsageError: the interpreter has another release.
        InputError: the interpreter cannot be run.
    """
    loader, setup = asked
    if setup is None:
        return list(_judged(models, head, loader))
    found = trial.load_all(setup, [each.data for each in models], progress)
    check_release(found.version, head, setup)
    return [
        _compared(model, tried.attrs)
        if tried.loads
        else Fate(model=model, verdict=tried.outcome, reason=told(tried.error))
        for model, tried in zip(models, found.trials, strict=True)
    ]


def _compared(model: Stored, attrs: Mapping[str, str]) -> Fate:
    """Return whether a model that loads says of its op what it said before; where nobody knows that, it does."""
    for name, before in (model.attrs or {}).items():
        after = attrs.get(name)
        if after is not None and not is_same(before, after):
            reason = f"{model.release} takes {name!r} as {before}, this release as {after}"
            return Fate(model=model, verdict="changed", reason=reason)
    return Fate(model=model, verdict="loads")


def _judged(models: Sequence[Stored], head: Spec, loader: str) -> Iterator[Fate]:
    """Yield what the spec of a release says of models."""
    from opspec_lint.models.audit import audit
    from opspec_lint.models.loader import LOADERS, LoadOptions

    for each in models:
        for told in audit(each.file, [(head.file, head)], [LOADERS.load(loader)], LoadOptions()):
            reason = next((finding.message for finding in told.findings if finding.level == "error"), told.reason or "")
            yield Fate(model=each, verdict=told.verdict, reason=reason)

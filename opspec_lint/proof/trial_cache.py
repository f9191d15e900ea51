"""A cache of trials: each model is loaded and run at most once per release."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError
from opspec_lint.proof import trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Literal, TypeAlias

    from opspec_lint.proof.trial import Step, Trial, TrialSetup
    from opspec_lint.spec.model import Spec

    Side: TypeAlias = Literal["base", "head"]


SIDES: tuple[Side, ...] = ("base", "head")


class TrialCache:
    """The trials of models in both releases; claims share models."""

    def __init__(self, sides: Mapping[Side, tuple[Spec, TrialSetup]], progress: Callable[[str], None]) -> None:
        self._sides = sides
        self._progress = progress
        self._known: dict[tuple[Side, Step, bytes], Trial] = {}

    def try_models(self, side: Side, step: Step, models: Iterable[bytes]) -> None:
        """Load or run the models that are not in the cache, in one process of a release.

        Raises UsageError if the interpreter has another release than the spec.
        """
        missing = [model for model in dict.fromkeys(models) if (side, step, model) not in self._known]
        if not missing:
            return
        spec, setup = self._sides[side]
        doing = "loading" if step == "load" else "running"
        self._progress(f"{doing} {len(missing)} models under {spec.provenance.version or spec.file}")
        result = trial.load_all(setup.replace(step=step), missing, self._progress)
        check_release(result.version, spec, setup)
        self._known |= {(side, step, data): loaded for data, loaded in zip(missing, result.trials, strict=True)}

    def trial_of(self, side: Side, step: Step, model: bytes) -> Trial:
        """Return the trial of a model that `try_models` got before."""
        return self._known[side, step, model]


def check_release(version: str, spec: Spec, setup: TrialSetup) -> None:
    """Raise UsageError if an interpreter has another release, `version`, than the spec."""
    expected = spec.provenance.version
    if expected is not None and expected != version:
        raise UsageError(
            f"{setup.python} has {setup.package.title} {version}, and {spec.file} is the spec of {expected}",
            advice=f"name an interpreter with {setup.package.title} {expected}",
        )

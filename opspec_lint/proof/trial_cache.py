"""Has the interpreters of two releases load or run models, each model once."""

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
    """What became of models under both releases."""

    def __init__(self, sides: Mapping[Side, tuple[Spec, TrialSetup]], progress: Callable[[str], None]) -> None:
        self._sides = sides
        self._progress = progress
        self._known: dict[tuple[Side, Step, bytes], Trial] = {}

    def ask(self, side: Side, step: Step, models: Iterable[bytes]) -> None:
        """Have a release load or run models, those that it has not yet.

        Raises:
            UsageError: the interpreter has another release.
            InputError: the interpreter cannot be run, or has no such framework.
        """
        wanted = [each for each in dict.fromkeys(models) if (side, step, each) not in self._known]
        if not wanted:
            return
        spec, setup = self._sides[side]
        doing = "loading" if step == "load" else "running"
        self._progress(f"{doing} {len(wanted)} models under {spec.provenance.version or spec.file}")
        found = trial.load_all(setup.replace(step=step), wanted, self._progress)
        check_release(found.version, spec, setup)
        self._known |= {(side, step, data): each for data, each in zip(wanted, found.trials, strict=True)}

    def told(self, side: Side, step: Step, model: bytes) -> Trial:
        """Return the trial of a model that was asked for."""
        return self._known[side, step, model]


def check_release(version: str, spec: Spec, setup: TrialSetup) -> None:
    """Make sure that an interpreter has the release of a spec.

    Raises:
        UsageError: the interpreter has another release.
    """
    expected = spec.provenance.version
    if expected is not None and expected != version:
        raise UsageError(
            f"{setup.python} has {setup.package.title} {version}, and {spec.file} is the spec of {expected}",
            advice=f"name an interpreter with {setup.package.title} {expected}",
        )

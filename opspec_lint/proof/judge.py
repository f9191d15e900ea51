"""What trials say of a finding: whether a model that the one release takes is stopped, or changed, by the other."""

from __future__ import annotations

import re

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.proof.trial import Outcome, Trial
    from opspec_lint.report.findings import Direction, Finding

    Verdict: TypeAlias = Literal["confirmed", "refuted", "not_provable", "not_tried"]
    How: TypeAlias = "Outcome | Literal['changed']"

VERDICTS: tuple[Verdict, ...] = ("confirmed", "refuted", "not_provable", "not_tried")

_STOPS: dict[str, str] = {
    "refused": "refuses it",
    "crashed": "crashes",
    "hung": "hangs",
    "out_of_memory": "takes all memory",
}


class Claim(Record):
    """That models of one release do not survive the other: a finding in one of its directions.

    `names` are what the argument is called under the release that saves the model, and under the one that loads it;
    `own` are these and the attrs that decide its tensors. `others` are the names of what else changed in the op.
    `is_declared` is whether the loading release declares it.
    """

    finding: Finding
    direction: Direction
    names: tuple[str | None, str | None]
    own: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    is_declared: bool = True


class Shown(Record):
    """What was found out: the verdict and why; the model that shows it, by its number, and what became of it."""

    verdict: Verdict
    reason: str
    how: How | None = None
    error: str = ""
    model: int | None = None


class Releases(Record):
    """What people call the release that saves a model, and the one that loads it."""

    saver: str
    reader: str


def judge(claim: Claim, trials: Sequence[tuple[Trial, Trial]], releases: Releases, told: Callable[[str], str]) -> Shown:
    """Return what the trials of a claim's models say of it.

    Args:
        claim: what is to be shown.
        trials: of each model what became of it under the release that saves it, and under the one that loads it.
        releases: what they are called.
        told: returns what of an error says what is wrong.
    """
    masked: Shown | None = None
    taken = None
    for number, (saved, loaded) in enumerate(trials):
        if not saved.loads:
            continue
        found = _shown(claim, number, (saved, loaded), releases, told)
        if found is None:
            taken = number if taken is None else taken
        elif found.verdict == "confirmed":
            return found
        else:
            masked = masked or found
    if taken is not None:
        return _refuted(claim, trials, taken, releases)
    if masked is not None:
        return masked
    first = trials[0][0]
    return Shown(
        verdict="not_provable",
        reason=f"{releases.saver} itself takes none of {len(trials)} models that were tried: {told(first.error)}",
        model=0,
    )


def _shown(
    claim: Claim, number: int, trials: tuple[Trial, Trial], releases: Releases, told: Callable[[str], str]
) -> Shown | None:
    """Return what one model shows, None where the other release takes it and means the same."""
    loaded = trials[1]
    if loaded.loads:
        return _changed(claim, number, trials, releases)
    said = told(loaded.error)
    stop = f"{releases.reader} {_STOPS[loaded.outcome]}: {said}"
    if _is_of_another(claim, said):
        reason = f"something else that changed in the op stops every model: {stop}"
        return Shown(verdict="not_provable", reason=reason, how=loaded.outcome, error=loaded.error, model=number)
    return Shown(verdict="confirmed", reason=stop, how=loaded.outcome, error=loaded.error, model=number)


def _changed(claim: Claim, number: int, trials: tuple[Trial, Trial], releases: Releases) -> Shown | None:
    """Return that an attr has another value under the other release, None where it has not."""
    if claim.finding.kind != "attr":
        return None
    before, after = (trial.attrs.get(str(name)) for trial, name in zip(trials, claim.names, strict=True))
    if before is None or after is None or before == after:
        return None
    reason = f"{releases.saver} takes it as {before}, {releases.reader} as {after}"
    return Shown(verdict="confirmed", reason=reason, how="changed", model=number)


def _refuted(claim: Claim, trials: Sequence[tuple[Trial, Trial]], number: int, releases: Releases) -> Shown:
    count = sum(saved.loads for saved, _ in trials)
    models = "the model" if count == 1 else f"each of {count} models"
    ignored = "" if claim.is_declared else f", and ignores what it says of {claim.names[0]!r}"
    return Shown(
        verdict="refuted", reason=f"{releases.reader} takes {models} that {releases.saver} takes{ignored}", model=number
    )


def _is_of_another(claim: Claim, said: str) -> bool:
    """Tell whether a message names something else that changed in the op, and not what the finding is about."""
    if claim.finding.kind == "op" or _names(said, claim.own):
        return False
    return _names(said, claim.others)


def _names(said: str, names: Collection[str]) -> bool:
    return any(re.search(rf"(?<![\w.]){re.escape(each)}(?![\w.])", said) for each in names)

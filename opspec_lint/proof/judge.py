"""The judgement of a claim by trials: does a model that one release loads fail, or change, in the other?

1. Models that the saving release does not load itself are dropped; if none is left, the claim is not provable.
2. A model that fails confirms the claim if the error names the subject, or if a similar model loads.
3. A model that loads with another value, or computes something else, confirms the claim.
4. If all load unchanged, the claim is refuted, unless no model exercised the subject.
"""

from __future__ import annotations

import re

from opspec_lint.kit.record import Record
from opspec_lint.proof import results

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.proof.trial import Outcome, Step, Trial
    from opspec_lint.report.findings import Direction, Finding
    from opspec_lint.spec.ids import EventId

    Verdict: TypeAlias = Literal["confirmed", "refuted", "not_provable", "not_tried"]
    How: TypeAlias = "Outcome | Literal['changed']"

VERDICTS: tuple[Verdict, ...] = ("confirmed", "refuted", "not_provable", "not_tried")

_STOPS: dict[Step, dict[str, str]] = {
    "load": {
        "refused": "refuses it",
        "crashed": "crashes",
        "hung": "hangs",
        "out_of_memory": "takes all memory",
    },
    "run": {
        "refused": "takes it and does not run it",
        "crashed": "takes it and crashes when it runs",
        "hung": "takes it and hangs when it runs",
        "out_of_memory": "takes it, and all memory when it runs",
    },
}
_TAKES: dict[Step, str] = {"load": "takes", "run": "runs"}
_OF_VALUES: frozenset[EventId] = frozenset({"attr_default_changed", "translation_attr_filled"})
"""Events that claim another value of an attr in a model that loads."""
_ANY_MODEL_FAILS = "something else in the op stops every model"


class Claim(Record):
    """A finding in one direction: models of the saving release fail or change in the loading release.

    - `names`: the name of the argument in the saving and in the loading release
    - `own`: these names, and the attrs that decide the number and types of its tensors
    - `others`: the names of the op and its other arguments; an error that names one has another cause
    - `is_declared`: the loading release declares the argument
    """

    finding: Finding
    direction: Direction
    names: tuple[str | None, str | None]
    own: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    is_declared: bool = True

    @property
    def concerns_value(self) -> bool:
        """The claim is that models load, but an attr has another value."""
        return self.finding.event in _OF_VALUES


class Judgement(Record):
    """The verdict on a claim with its reason.

    `model` is the index of the model that supports it, `how` its outcome in the loading release, `error` its message.
    `is_final`: no further model can change the verdict.
    """

    verdict: Verdict
    reason: str
    how: How | None = None
    error: str = ""
    model: int | None = None
    is_final: bool = False


class Attempt(Record):
    """The trials of one model in the saving and in the loading release.

    - `kind`: models of one kind differ only in the subject of the claim
    - `is_decisive`: the model contains what the loading release does not declare
    - `differs_from_default`: the attr of the claim has another value than its default
    - `control`: the trial, in the loading release, of the same model with the subject as that release declares it
    """

    kind: int
    is_decisive: bool = False
    differs_from_default: bool = True
    saved: Trial
    loaded: Trial
    control: Trial | None = None


class Releases(Record):
    """The names of the saving and the loading release for messages, and what they did with the models: `step`."""

    saver: str
    reader: str
    step: Step = "load"


def judge(
    claim: Claim, attempts: Sequence[Attempt], releases: Releases, error_summary: Callable[[str], str]
) -> Judgement:
    """Return the judgement of a claim by the attempts with its models, the simplest first, at least one.

    - A model that fails confirms the claim if its error names the subject. If the error names nothing, it confirms the
      claim if another model of the same kind, or its control, loads, as nothing else in the model can be the cause; or
      if no model loads and the subject cannot be varied.
    - A model that computes something else confirms the claim if another model of the same kind, or its control,
      computes the same as before.

    `error_summary` returns the part of an error message that states the problem.
    """
    saved = [(number, attempt) for number, attempt in enumerate(attempts) if attempt.saved.loads]
    if not saved:
        return _not_saved(attempts, releases, error_summary)
    # Models of one kind differ only in the subject: if one of them loads, or computes the same, the subject alone is
    # the cause where another one fails.
    loading_kinds = {
        attempt.kind for _, attempt in saved if attempt.loaded.loads or (attempt.control and attempt.control.loads)
    }
    unchanged_kinds = {
        attempt.kind
        for _, attempt in saved
        if _is_equal(attempt, attempt.loaded) or _is_equal(attempt, attempt.control)
    }
    tentative: list[Judgement] = []
    for number, attempt in saved:
        if attempt.loaded.loads and releases.step == "run":
            judgement = _judge_result(number, attempt, releases, unchanged_kinds)
        elif attempt.loaded.loads:
            judgement = _judge_attr_value(claim, number, attempt, releases)
        else:
            judgement = _judge_stopped(claim, number, attempt, releases, error_summary)
            if judgement.verdict == "confirmed" and attempt.kind in loading_kinds:
                judgement = judgement.replace(is_final=True)
        if judgement is not None and judgement.is_final:
            return judgement
        if judgement is not None:
            tentative.append(judgement)
    return _undecided_reason(claim, attempts, releases, error_summary) or _overall_verdict(
        claim, saved, tentative, releases
    )


def _undecided_reason(
    claim: Claim, attempts: Sequence[Attempt], releases: Releases, error_summary: Callable[[str], str]
) -> Judgement | None:
    """Return the judgement "not_provable" if models load but none exercises the subject of the claim; else None."""
    decisive = [(number, attempt) for number, attempt in enumerate(attempts) if attempt.is_decisive]
    if decisive and not any(attempt.saved.loads for _, attempt in decisive):
        number, first = decisive[0]
        return _not_provable(
            f"{releases.saver} itself takes none of the models that would tell: {error_summary(first.saved.error)}",
            number,
        )
    loading = [
        (number, attempt) for number, attempt in enumerate(attempts) if attempt.saved.loads and attempt.loaded.loads
    ]
    if not loading:
        return None
    first_loading, _ = loading[0]
    saved_name, loaded_name = claim.names
    if releases.step == "load":
        if not claim.concerns_value or _states_value(claim, loading):
            return None
        return _not_provable(
            f"{releases.reader} takes the models; which value {loaded_name!r} has under both is not known",
            first_loading,
        )
    if claim.is_declared or any(attempt.differs_from_default and attempt.saved.attrs for _, attempt in loading):
        return None
    return _not_provable(
        f"no model in which {saved_name!r} has another value than its default has results", first_loading
    )


def _not_provable(reason: str, model: int) -> Judgement:
    return Judgement(verdict="not_provable", reason=reason, model=model)


def _overall_verdict(
    claim: Claim, saved: Sequence[tuple[int, Attempt]], tentative: Sequence[Judgement], releases: Releases
) -> Judgement:
    """Return the judgement if no single attempt is final."""
    loading = [number for number, attempt in saved if attempt.loaded.loads]
    differing = [judgement for judgement in tentative if judgement.how == "changed"]
    if differing:
        return differing[0]
    if loading:
        return _refuted(claim, len(loading), loading[0], releases)
    # `min` returns the first of equal items, which is the simplest model.
    best = min(tentative, key=lambda judgement: judgement.verdict != "confirmed")
    kinds = [attempt.kind for _, attempt in saved]
    # Two models of one kind differ in the subject only. Both fail, so the cause is something else in the op.
    if best.verdict == "confirmed" and len(kinds) > len(set(kinds)):
        return best.replace(verdict="not_provable", reason=f"{_ANY_MODEL_FAILS}: {best.reason}")
    return best


def _not_saved(attempts: Sequence[Attempt], releases: Releases, error_summary: Callable[[str], str]) -> Judgement:
    """Return the judgement "not_provable": the saving release itself loads or runs no model."""
    if releases.step == "load":
        reason = f"{releases.saver} itself takes none of the models that were tried ({len(attempts)}): "
    else:
        reason = f"both take the models, and {releases.saver} itself runs none of them ({len(attempts)}): "
    return _not_provable(reason + error_summary(attempts[0].saved.error), model=0)


def _judge_stopped(
    claim: Claim, number: int, attempts: Attempt, releases: Releases, error_summary: Callable[[str], str]
) -> Judgement:
    """Return the judgement of a model that fails: final if its error names the subject of the claim."""
    loaded = attempts.loaded
    message = error_summary(loaded.error)
    stop = f"{releases.reader} {_STOPS[releases.step][loaded.outcome]}: {message}"
    judgement = Judgement(verdict="confirmed", reason=stop, how=loaded.outcome, error=loaded.error, model=number)
    if not claim.concerns_value and (claim.finding.kind == "op" or _mentions(message, claim.own)):
        return judgement.replace(is_final=True)
    if claim.concerns_value or _mentions(message, claim.others):
        return judgement.replace(verdict="not_provable", reason=f"{_ANY_MODEL_FAILS}: {stop}")
    return judgement


def _judge_attr_value(claim: Claim, number: int, attempts: Attempt, releases: Releases) -> Judgement | None:
    """Return the judgement "confirmed" if the attr of the claim has another value after loading, else None."""
    if claim.finding.kind != "attr":
        return None
    saved_name, loaded_name = map(str, claim.names)
    before, after = attempts.saved.attrs.get(saved_name), attempts.loaded.attrs.get(loaded_name)
    if before is None or after is None or is_same(before, after):
        return None
    reason = f"{releases.saver} takes it as {before}, {releases.reader} as {after}"
    return Judgement(verdict="confirmed", reason=reason, how="changed", model=number, is_final=True)


def _judge_result(number: int, attempts: Attempt, releases: Releases, equal: Collection[int]) -> Judgement | None:
    """Return the judgement of a model with another result in the loading release; None for the same result.

    `equal` are the kinds with a model that computes the same in both releases.
    """
    name = results.first_difference(attempts.saved.attrs, attempts.loaded.attrs)
    if name is None:
        return None
    before, after = (results.brief(trial.attrs[name]) for trial in (attempts.saved, attempts.loaded))
    reason = f"{releases.saver} computes {before}, {releases.reader} {after}"
    if attempts.kind in equal:
        return Judgement(verdict="confirmed", reason=reason, how="changed", model=number, is_final=True)
    reason = f"something else may be the cause: {reason}"
    return Judgement(verdict="not_provable", reason=reason, how="changed", model=number)


def _is_equal(attempts: Attempt, trial: Trial | None) -> bool:
    """Return whether `trial`, of a model or its control in the loading release, has the results of the saving one."""
    return trial is not None and trial.loads and results.first_difference(attempts.saved.attrs, trial.attrs) is None


def is_same(before: str, after: str) -> bool:
    """Return whether two values, as Python text, are equal; 1 and 1.0 are."""
    if before == after:
        return True
    from opspec_lint.kit.python_text import literal_value

    try:
        return bool(literal_value(before) == literal_value(after))
    # A value may be any text, also one nested deeply enough to exhaust the parser.
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False


def _states_value(claim: Claim, loading: Sequence[tuple[int, Attempt]]) -> bool:
    """Return whether some model has a known value of the attr in both releases."""
    saved, loaded = map(str, claim.names)
    return any(saved in attempt.saved.attrs and loaded in attempt.loaded.attrs for _, attempt in loading)


def _refuted(claim: Claim, count: int, number: int, releases: Releases) -> Judgement:
    """Return the judgement "refuted": `count` models load in both releases, the first one is `number`."""
    models = "the model" if count == 1 else f"{count} models"
    name, _ = claim.names
    ignored = "" if claim.is_declared else f", and ignores what they say of {name!r}"
    does = _TAKES[releases.step]
    reason = f"{releases.reader} {does} {models} that {releases.saver} {does}{ignored}"
    return Judgement(verdict="refuted", reason=reason, model=number)


def _mentions(message: str, names: Collection[str]) -> bool:
    """Return whether an error message contains one of some names as a whole word."""
    # `\b` would also find the name `x` in `x.y`, which is another name.
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", message) for name in names)

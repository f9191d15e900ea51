"""What trials say of a finding: whether a model that the one release takes is stopped, or changed, by the other."""

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
"""The events by which an attr of a model has another value."""
_ANOTHER = "something else in the op stops every model"


class Claim(Record):
    """That models of one release do not survive the other: a finding in one of its directions.

    `names` are what the argument is called under the release that saves the model, and under the one that loads it;
    `own` are these and the attrs that decide its tensors. `others` are the names of the op and of its other arguments.
    `is_declared` is whether the loading release declares it.
    """

    finding: Finding
    direction: Direction
    names: tuple[str | None, str | None]
    own: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    is_declared: bool = True

    @property
    def is_about_value(self) -> bool:
        """Whether the claim is that models load, and that an attr of them has another value."""
        return self.finding.event in _OF_VALUES


class Shown(Record):
    """What was found out: the verdict and why; the model that shows it, by its number, and what became of it.

    `is_final` is whether further models cannot show anything else.
    """

    verdict: Verdict
    reason: str
    how: How | None = None
    error: str = ""
    model: int | None = None
    is_final: bool = False


class Tried(Record):
    """What became of a model under the release that saves it, and under the one that loads it.

    Models of one `kind` differ in nothing but what the claim is about. `tells` is whether it says what the loading
    release does not declare, and `says` whether the attr that the claim is about has another value than its default in
    it. `control` is what became, under the loading release, of the same model with what the claim
    is about as that release declares it; None where there is no such model.
    """

    kind: int
    tells: bool = False
    says: bool = True
    saved: Trial
    loaded: Trial
    control: Trial | None = None


class Releases(Record):
    """What people call the release that saves a model, and the one that loads it; what both did with the models."""

    saver: str
    reader: str
    step: Step = "load"


def judge(claim: Claim, tried: Sequence[Tried], releases: Releases, told: Callable[[str], str]) -> Shown:
    """Return the verdict of the models of a claim.

    A model that is stopped shows the claim if the message names what it is about. If the message names nothing, the
    model shows it where one of the same kind is taken, or its control: what else it says is not to blame then. It shows
    it as well where none is taken at all and what the claim is about cannot be varied. A model that computes something
    else shows it if one of the same kind, or its control, computes the same as before.

    Args:
        claim: what is to be shown.
        tried: its models, the simplest first, at least one.
        releases: what they are called.
        told: returns what of an error says what is wrong.
    """
    saved = [(number, each) for number, each in enumerate(tried) if each.saved.loads]
    if not saved:
        return _not_saved(tried, releases, told)
    taken = {each.kind for _, each in saved if each.loaded.loads or (each.control and each.control.loads)}
    equal = {each.kind for _, each in saved if _is_equal(each, each.loaded) or _is_equal(each, each.control)}
    unsure: list[Shown] = []
    for number, each in saved:
        if each.loaded.loads and releases.step == "run":
            found = _computed(number, each, releases, equal)
        elif each.loaded.loads:
            found = _changed(claim, number, each, releases)
        else:
            found = _stopped(claim, number, each, releases, told)
            found = found.replace(is_final=found.is_final or (each.kind in taken and found.verdict == "confirmed"))
        if found is not None and found.is_final:
            return found
        unsure += [] if found is None else [found]
    return _not_told(claim, tried, releases, told) or _of_all(claim, saved, unsure, releases)


def _not_told(claim: Claim, tried: Sequence[Tried], releases: Releases, told: Callable[[str], str]) -> Shown | None:
    """Return why models that are taken do not refute a claim: what it says was not tried; None where it was."""
    loading = [(number, each) for number, each in enumerate(tried) if each.saved.loads and each.loaded.loads]
    telling = [(number, each) for number, each in enumerate(tried) if each.tells]
    if telling and not any(each.saved.loads for _, each in telling):
        number, reason = telling[0][0], f"{releases.saver} itself takes none of the models that would tell: "
        reason += told(telling[0][1].saved.error)
    elif not loading:
        return None
    elif releases.step == "load":
        if not claim.is_about_value or _tells_value(claim, loading):
            return None
        number, reason = loading[0][0], f"{releases.reader} takes the models; which value {claim.names[1]!r} has under "
        reason += "both is not known"
    elif claim.is_declared or any(each.says and each.saved.attrs for _, each in loading):
        return None
    else:
        number, reason = (
            loading[0][0],
            f"no model in which {claim.names[0]!r} has another value than its default has results",
        )
    return Shown(verdict="not_provable", reason=reason, model=number)


def _of_all(claim: Claim, saved: Sequence[tuple[int, Tried]], unsure: Sequence[Shown], releases: Releases) -> Shown:
    """Return the verdict of models of which none shows the claim for sure."""
    loading = [number for number, each in saved if each.loaded.loads]
    differing = [each for each in unsure if each.how == "changed"]
    if differing:
        return differing[0]
    if loading:
        return _refuted(claim, len(loading), loading[0], releases)
    found = min(unsure, key=lambda each: each.verdict != "confirmed")
    kinds = [each.kind for _, each in saved]
    if found.verdict == "confirmed" and len(kinds) > len(set(kinds)):
        return found.replace(verdict="not_provable", reason=f"{_ANOTHER}: {found.reason}")
    return found


def _not_saved(tried: Sequence[Tried], releases: Releases, told: Callable[[str], str]) -> Shown:
    """Return that the release that saves the models stops all of them itself."""
    if releases.step == "load":
        reason = f"{releases.saver} itself takes none of the models that were tried ({len(tried)}): "
    else:
        reason = f"both take the models, and {releases.saver} itself runs none of them ({len(tried)}): "
    return Shown(verdict="not_provable", reason=reason + told(tried[0].saved.error), model=0)


def _stopped(claim: Claim, number: int, tried: Tried, releases: Releases, told: Callable[[str], str]) -> Shown:
    """Return the verdict of a model that is stopped: for sure, if the message names what the claim is about."""
    loaded = tried.loaded
    said = told(loaded.error)
    stop = f"{releases.reader} {_STOPS[releases.step][loaded.outcome]}: {said}"
    about = Shown(verdict="confirmed", reason=stop, how=loaded.outcome, error=loaded.error, model=number)
    if not claim.is_about_value and (claim.finding.kind == "op" or _names(said, claim.own)):
        return about.replace(is_final=True)
    if claim.is_about_value or _names(said, claim.others):
        return about.replace(verdict="not_provable", reason=f"{_ANOTHER}: {stop}")
    return about


def _changed(claim: Claim, number: int, tried: Tried, releases: Releases) -> Shown | None:
    """Return that an attr has another value under the other release, None where it has not."""
    if claim.finding.kind != "attr":
        return None
    before, after = tried.saved.attrs.get(str(claim.names[0])), tried.loaded.attrs.get(str(claim.names[1]))
    if before is None or after is None or is_same(before, after):
        return None
    reason = f"{releases.saver} takes it as {before}, {releases.reader} as {after}"
    return Shown(verdict="confirmed", reason=reason, how="changed", model=number, is_final=True)


def _computed(number: int, tried: Tried, releases: Releases, equal: Collection[int]) -> Shown | None:
    """Return that a model computes something else under the other release, None where it does not.

    `equal` are the kinds of which a model computes the same.
    """
    name = results.differing(tried.saved.attrs, tried.loaded.attrs)
    if name is None:
        return None
    before, after = (results.brief(each.attrs[name]) for each in (tried.saved, tried.loaded))
    reason = f"{releases.saver} computes {before}, {releases.reader} {after}"
    if tried.kind in equal:
        return Shown(verdict="confirmed", reason=reason, how="changed", model=number, is_final=True)
    reason = f"something else may be the cause: {reason}"
    return Shown(verdict="not_provable", reason=reason, how="changed", model=number)


def _is_equal(tried: Tried, other: Trial | None) -> bool:
    """Tell whether a model, or its control, computes under the other release what the model did before."""
    return other is not None and other.loads and results.differing(tried.saved.attrs, other.attrs) is None


def is_same(before: str, after: str) -> bool:
    """Tell whether two values are the same, if perhaps of another type: 1 and 1.0."""
    if before == after:
        return True
    import ast

    try:
        return bool(ast.literal_eval(before) == ast.literal_eval(after))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False


def _tells_value(claim: Claim, loading: Sequence[tuple[int, Tried]]) -> bool:
    """Tell whether both releases say which value an attr has in some model."""
    saved, loaded = map(str, claim.names)
    return any(saved in each.saved.attrs and loaded in each.loaded.attrs for _, each in loading)


def _refuted(claim: Claim, count: int, number: int, releases: Releases) -> Shown:
    models = "the model" if count == 1 else f"{count} models"
    ignored = "" if claim.is_declared else f", and ignores what they say of {claim.names[0]!r}"
    does = _TAKES[releases.step]
    reason = f"{releases.reader} {does} {models} that {releases.saver} {does}{ignored}"
    return Shown(verdict="refuted", reason=reason, model=number)


def _names(said: str, names: Collection[str]) -> bool:
    return any(re.search(rf"(?<![\w.]){re.escape(each)}(?![\w.])", said) for each in names)

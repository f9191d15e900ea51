"""Where a model loads that uses an op: for each release that saved it, those that load it, and why others do not.

The judgement is that of `check` for the two releases: an error stops the model, a warning lets it load and may change
what it computes. An error that is about no single op, such as a limit that was lowered, stops some models.
"""

from __future__ import annotations

from opspec_lint.kit.record import Compact, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Literal, TypeAlias

    from opspec_lint.report.findings import Finding
    from opspec_lint.site.judgements import Judgements
    from opspec_lint.site.timeline import State

    Word: TypeAlias = Literal["loads", "may differ", "not every model", "does not load", "unknown"]

LOADING: tuple[Word, ...] = ("loads", "may differ", "not every model")


class Outcome(Compact):
    """What becomes of a model in a release, and the first finding that says so; None where nothing is to be said.

    `is_missing` is whether the release does not have the op, and `read_as` the one that it then reads the op as.
    """

    word: Word
    finding: Finding | None = None
    is_missing: bool = False
    read_as: str | None = None


class Row(Record):
    """What becomes of models of some releases, `saved` by their places, in each release that may load them.

    `older` is the first finding by which a release that is older than the one that saved a model may not load it,
    whatever op it uses, such as a limit that was lower; None for none. The outcomes leave it out: it would part the
    releases of every op, as each of them raises a limit.
    """

    saved: tuple[int, ...]
    outcomes: tuple[Outcome, ...]
    older: Finding | None = None

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The first and the last place of releases in a row that load the model."""
        return tuple((first, last) for first, last, outcome in runs(self.outcomes, _loads) if outcome.word in LOADING)

    @property
    def reasons(self) -> tuple[tuple[int, int, Outcome], ...]:
        """The reasons why releases do not load the model, or may differ: for releases in a row, one."""
        return tuple(each for each in runs(self.outcomes, _reason) if each[2].word != "loads")


def rows(op: str, states: Sequence[State], targets: Sequence[State], judged: Judgements) -> tuple[Row, ...]:
    """Return what becomes of models that use an op, the newest release that saved one first.

    Args:
        op: the op.
        states: whether each release that saves models has the op.
        targets: whether each release that loads models has it.
        judged: the judgements of all pairs.
    """
    found: dict[tuple[object, ...], Row] = {}
    for saved in reversed(range(len(states))):
        if states[saved] == "there":
            every = tuple(_outcome(op, saved, head, state, judged) for head, state in enumerate(targets))
            older = next((each for head in reversed(range(saved)) for each in _of_all(saved, head, judged)), None)
            key = tuple(map(_reason, every))
            row = found.get(key, Row(saved=(), outcomes=every))
            found[key] = row.but(saved=(saved, *row.saved), older=row.older or older)
    return tuple(found.values())


def _of_all(saved: int, head: int, judged: Judgements) -> Iterator[Finding]:
    """Yield what stops some models of a release in an older one, whatever op they use."""
    if not judged.is_crossing:
        found = outcome(judged.findings(saved, head, None))
        if found.word == "does not load" and found.finding is not None:
            yield found.finding


def _outcome(op: str, saved: int, head: int, state: State, judged: Judgements) -> Outcome:
    if saved == head and not judged.is_crossing:
        return Outcome(word="loads")
    if state == "unknown":
        return Outcome(word="unknown")
    found = outcome(judged.findings(saved, head, op), is_missing=state == "absent")
    if found.word == "does not load":
        other = judged.read_as(op, head) if found.is_missing else None
        return found if other is None else found.but(word="not every model", read_as=other)
    if head < saved and not judged.is_crossing:
        return found
    of_all = outcome(judged.findings(saved, head, None))
    return found if of_all.word != "does not load" else Outcome(word="not every model", finding=of_all.finding)


def outcome(findings: Iterable[Finding], *, is_missing: bool = False) -> Outcome:
    """Return what becomes of a model by what is to be said of two releases, the worst first."""
    for finding in findings:
        if stops(finding, is_missing=is_missing):
            return Outcome(word="does not load", finding=finding, is_missing=is_missing)
        if "backward" in finding.directions and finding.level == "warning":
            return Outcome(word="may differ", finding=finding)
    return Outcome(word="loads")


def stops(finding: Finding, *, is_missing: bool) -> bool:
    """Tell whether a finding stops a model; `is_missing` is whether the release does not have the op.

    That an op is gone stops a model that has it, even if the policy takes no model to have it.
    """
    is_gone = is_missing and finding.is_about_whole_op
    return "backward" in finding.directions and (finding.level == "error" or is_gone)


def runs(outcomes: Sequence[Outcome], key: Callable[[Outcome], object]) -> Iterator[tuple[int, int, Outcome]]:
    """Yield the first and the last place of outcomes in a row that are the same by a key, and the first of them."""
    start = 0
    for place in range(1, len(outcomes) + 1):
        if place == len(outcomes) or key(outcomes[place]) != key(outcomes[start]):
            yield start, place - 1, outcomes[start]
            start = place


def _loads(outcome: Outcome) -> bool:
    return outcome.word in LOADING


def _reason(outcome: Outcome) -> tuple[object, ...]:
    finding = outcome.finding
    said = () if finding is None else (finding.rule, finding.message, finding.proofs)
    return outcome.word, outcome.is_missing, outcome.read_as, said

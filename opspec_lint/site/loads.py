"""The releases that load models with an op, for each release that saved them, and the reasons of the others.

`check` judges the two releases: an error stops the model, a warning lets it load and may change its results. An error
that concerns no single op, such as a limit that was lowered, stops some models. Models may cross frameworks: programs
of Paddle 2 load as PIR, whose releases are no older or newer releases of the saving framework.
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

    Verdict: TypeAlias = Literal["loads", "may differ", "not every model", "does not load", "unknown"]

LOADING: tuple[Verdict, ...] = ("loads", "may differ", "not every model")


class Outcome(Compact):
    """The verdict about a model in a release, and the first finding that causes it; None without a finding.

    `is_missing` is true if the release does not have the op; `older_version` is the op that it takes the node for then.
    """

    verdict: Verdict
    finding: Finding | None = None
    is_missing: bool = False
    older_version: str | None = None


_LOADS = Outcome(verdict="loads")
"""The outcome without a finding: one object, as a site has millions of them."""


class Row(Record):
    """The outcomes for models of some releases, `saved` by their places, in each release that may load them.

    `older` is the first finding that may stop a model with any op in a release older than the saving one, such as a
    limit that was lower; None for none. The outcomes leave it out: each release raises a limit, which would separate
    the releases of every op.
    """

    saved: tuple[int, ...]
    outcomes: tuple[Outcome, ...]
    older: Finding | None = None

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The first and the last place of releases in a row that have the op and load the model."""
        return tuple((first, last) for first, last, outcome in runs(self.outcomes, _loads) if _loads(outcome))

    @property
    def reasons(self) -> tuple[tuple[int, int, Outcome], ...]:
        """The reasons why releases do not load the model, or may differ: for releases in a row, one."""
        return tuple(
            (first, last, outcome)
            for first, last, outcome in runs(self.outcomes, _reason)
            if outcome.verdict != "loads"
        )


def rows(op: str, states: Sequence[State], targets: Sequence[State], judged: Judgements) -> tuple[Row, ...]:
    """Return the outcomes for models that use an op, the newest release that saved one first.

    Args:
        op: the op.
        states: whether each release that saves models has the op.
        targets: whether each release that loads models has it.
        judged: the judgements of all pairs.
    """
    result: dict[tuple[object, ...], Row] = {}
    # Most ops have no findings in most of the pairs, of which a site has hundreds for each of thousands of ops.
    by_place = judged.findings_by_place(op)
    for saved in reversed(range(len(states))):
        if states[saved] == "there":
            every = tuple(
                _outcome(op, saved, head, state, judged, by_place.get((saved, head), ()))
                for head, state in enumerate(targets)
            )
            older = next(
                (finding for head in reversed(range(saved)) for finding in _general_stop(saved, head, judged)), None
            )
            # Releases with equal outcomes share a row: most ops have one row for dozens of releases.
            key = tuple(map(_reason, every))
            row = result.get(key, Row(saved=(), outcomes=every))
            result[key] = row.replace(saved=(saved, *row.saved), older=row.older or older)
    return tuple(result.values())


def _general_stop(saved: int, head: int, judged: Judgements) -> Iterator[Finding]:
    """Yield the finding that stops some models of a release in an older one, with any op."""
    if not judged.is_crossing:
        whole = judged.stop_of_any_op(saved, head)
        if whole is not None:
            yield whole


def _outcome(  # noqa: PLR0913, PLR0917 - what is judged, and how
    op: str, saved: int, head: int, state: State, judged: Judgements, findings: Sequence[Finding]
) -> Outcome:
    """Return whether release `head` loads the models with an op that release `saved` wrote."""
    if saved == head and not judged.is_crossing:
        return _LOADS
    if state == "unknown":
        return Outcome(verdict="unknown")
    own = outcome(findings, is_missing=state == "absent") if findings else _LOADS
    if own.verdict == "does not load":
        replacement = judged.older_version(op, head) if own.is_missing else None
        return own if replacement is None else own.replace(verdict="not every model", older_version=replacement)
    if head < saved and not judged.is_crossing:
        return own
    of_all = judged.stop_of_any_op(saved, head)
    return own if of_all is None else Outcome(verdict="not every model", finding=of_all)


def outcome(findings: Iterable[Finding], *, is_missing: bool = False) -> Outcome:
    """Return the outcome for a model by the findings about two releases, given the worst first."""
    for finding in findings:
        if stops(finding, is_missing=is_missing):
            return Outcome(verdict="does not load", finding=finding, is_missing=is_missing)
        if "backward" in finding.directions and finding.level == "warning":
            return Outcome(verdict="may differ", finding=finding)
    return _LOADS


def stops(finding: Finding, *, is_missing: bool) -> bool:
    """Return whether a finding stops a model; `is_missing` is true if the release does not have the op.

    A missing op stops a model that uses it, even if no model is assumed to use it under the policy.
    """
    is_gone = is_missing and finding.concerns_whole_op
    return "backward" in finding.directions and (finding.level == "error" or is_gone)


def runs(outcomes: Sequence[Outcome], key: Callable[[Outcome], object]) -> Iterator[tuple[int, int, Outcome]]:
    """Yield the first and the last place of adjacent outcomes with the same key, and the first outcome."""
    start = 0
    for place in range(1, len(outcomes) + 1):
        if place == len(outcomes) or key(outcomes[place]) != key(outcomes[start]):
            yield start, place - 1, outcomes[start]
            start = place


def _loads(outcome: Outcome) -> bool:
    # A release without the op loads only nodes that an older version of the op allows too. Whoever looks for a release
    # to load a model has to take one that has the op.
    return outcome.verdict in LOADING and not outcome.is_missing


def _reason(outcome: Outcome) -> tuple[object, ...]:
    finding = outcome.finding
    cause = () if finding is None else (finding.rule, finding.message, finding.proofs)
    return outcome.verdict, outcome.is_missing, outcome.older_version, cause

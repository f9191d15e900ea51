"""The sentences that a page begins with: which releases have an op, what changed last, and how often models broke."""

from __future__ import annotations

from itertools import pairwise
from operator import itemgetter

from opspec_lint.kit.text import listing, one_line, plural, shorten
from opspec_lint.site import loads, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.report.findings import Finding
    from opspec_lint.site.judgements import Judgements
    from opspec_lint.site.loads import Outcome
    from opspec_lint.site.releases import Line
    from opspec_lint.site.timeline import DeclarationPeriod, DeclaredItem, OpTimeline, Span

_LONGEST = 160
"""Characters of the description of a change."""
_NAMED = 8
"""Greatest number of declarations that the sentence on a page of several declarations names."""


class Summaries:
    """The sentences that summarise the ops of a line of releases.

    Args:
        line: the releases.
        ops: the timelines of all ops of the line.
        judged: how its models are judged under its own releases.
    """

    def __init__(self, line: Line, ops: Mapping[str, OpTimeline], judged: Judgements) -> None:
        self._line = line
        self._ops = ops
        self._judged = judged

    def of_op(self, name: str) -> str:
        """Return sentences on an op: its releases, its last change, and the changes in numbers."""
        presence = "; ".join(when.stretch(span, self._line) for span in self._ops[name].whole.spans)
        places = self._changed_places(name)
        if not places:
            return f"{_capital(presence)}. Never changed."
        return f"{_capital(presence)}. {self._last_change(name, places[-1])} {self._numbers(name, len(places))}"

    def of_page(self, names: Sequence[str]) -> str:
        """Return sentences on the ops of a page; several ops are listed, each with its first release."""
        if len(names) == 1:
            return self.of_op(names[0])
        declarations = [f"{name} {self._short_range(self._ops[name].whole.spans[-1])}" for name in names]
        text = f"{plural(len(names), 'declaration')}: {listing(declarations, _NAMED)}."
        last = max(self._changes(names), key=itemgetter(0), default=None)
        if last is None:
            return f"{text} No release changed one."
        place, name = last
        return f"{text} {self._last_change(name, place, of=name)}"

    def count_breaking_releases(self, name: str) -> int:
        """Return the number of releases that do not load models of the release before with an op that both have."""
        return sum(step.verdict == "does not load" for step in self._steps(name))

    def _changes(self, names: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the place of the last change of each op of a page, and the place of the release that added the op."""
        for name in names:
            yield from ((place, name) for place in self._changed_places(name)[-1:])
            since = self._ops[name].whole.spans[-1]
            if not since.is_older and self._judged.findings(since.since - 1, since.since, name):
                yield since.since, name

    def _short_range(self, span: Span) -> str:
        gone = when.until(span, self._line)
        return f"until {gone}" if gone is not None else f"since {when.since(span, self._line)}"

    def _last_change(self, name: str, place: int, *, of: str = "") -> str:
        """Return a sentence on the changes of an op in a release; `of` names the op where several are meant."""
        findings = self._judged.findings(place - 1, place, name)
        subject = f"Last changed in {self._line.releases[place].label}"
        if of:
            subject = f"{subject}, {of}"
        if not findings:
            return f"{subject}."
        more = f", and {plural(len(findings) - 1, 'more change')}" if len(findings) > 1 else ""
        return f"{subject}: {_text(findings[0])}{more}."

    def _numbers(self, name: str, changes: int) -> str:
        """Return a sentence on how often an op changed, and how often this broke saved models."""
        verdicts = [step.verdict for step in self._steps(name)]
        breaks = verdicts.count("does not load")
        effects = [f"saved models broke {_times(breaks)}"] if breaks else []
        effects += ["what saved models compute may have changed"] if "may differ" in verdicts else []
        return f"Changed in {plural(changes, 'release')}; {' and '.join(effects) or 'no saved model broke'}."

    def _steps(self, name: str) -> Iterator[Outcome]:
        """Yield the outcome for models in the next release, for each two neighbouring releases with an op."""
        return (loads.outcome(self._judged.findings(place - 1, place, name)) for place in self._places(name))

    def _changed_places(self, name: str) -> list[int]:
        """Return the places of the releases that changed an op which they and the release before have."""
        op = self._ops[name]
        begun = {period.start for item in (op.whole, *op.arguments) for period in _later(item)}
        return sorted(begun.intersection(self._places(name)))

    def _places(self, name: str) -> list[int]:
        """Return the places of the releases that have an op like the release before."""
        states = self._ops[name].states
        return [place for place in range(1, len(states)) if states[place - 1] == states[place] == "there"]


def _text(finding: Finding) -> str:
    return shorten(one_line(finding.message), _LONGEST)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _times(count: int) -> str:
    """Return how often something happened, as text."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _later(item: DeclaredItem) -> Iterator[DeclarationPeriod]:
    """Yield the periods that begin with a change."""
    for before, period in pairwise(item.periods):
        if before.state != "unknown" and period.state != "unknown":
            yield period

"""The answer to "does this release load the model?": one of three, with the same words and counts in every output.

Unknown is neither yes nor no. This is the only place that decides what a verdict answers.
"""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TypeAlias

    from opspec_lint.report.findings import Report

    Verdict: TypeAlias = Literal["loads", "changed", "cannot_tell", "fails_at_run", "refused", "unreadable"]
    Answer: TypeAlias = Literal["yes", "no", "unknown"]

VERDICTS: tuple[Verdict, ...] = ("loads", "changed", "cannot_tell", "fails_at_run", "refused", "unreadable")
"""From the mildest to the worst."""
ANSWERS: tuple[Answer, ...] = ("yes", "no", "unknown")
UNKNOWN_KIND = "unknown_kind"
"""The reason of a file of a kind that is not read here: a release may well load it."""
_COUNTED: Mapping[Answer, str] = {"yes": "load", "no": "do not load", "unknown": "unknown"}


def answer(verdict: str, reason: str | None = None) -> Answer:
    """Return whether a release loads a model as it was saved; one that means something else does not load so."""
    if verdict == "cannot_tell" or (verdict == "unreadable" and reason == UNKNOWN_KIND):
        return "unknown"
    return "yes" if verdict == "loads" else "no"


def counts(verdicts: Mapping[str, int]) -> dict[Answer, int]:
    """Return the number of each answer, of models that can be read, by the number of each verdict."""
    totals = dict.fromkeys(ANSWERS, 0)
    for verdict, count in verdicts.items():
        if verdict != "unreadable":
            totals[answer(verdict)] += count
    return totals


def counted(verdicts: Mapping[str, int]) -> str:
    """Return the counts of verdicts in words: `12 load, 2 do not load (1 changed, 1 refused), 3 unknown`."""
    parts = [f"{verdicts[name]} {name}" for name in VERDICTS if verdicts.get(name)]
    unreadable = [part for part in parts if part.endswith(" unreadable")]
    refused = [part for part in parts if part not in unreadable and answer(part.partition(" ")[2]) == "no"]
    detail = {"no": f" ({', '.join(refused)})"}
    texts = [f"{count} {_COUNTED[key]}{detail.get(key, '')}" for key, count in counts(verdicts).items() if count]
    return ", ".join(texts + unreadable)


def outcomes(report: Report) -> Counter[str]:
    """Return the number of each verdict in a report of audits; empty for one of specs."""
    return Counter(audit.outcome for audit in report.comparisons if audit.outcome is not None)


def stamp(report: Report) -> Literal["fails", "unknown", "passes"]:
    """Return the result of a report in a word: `unknown` where nothing fails, but some verdict is unknown."""
    if report.failed:
        return "fails"
    return "unknown" if counts(outcomes(report))["unknown"] else "passes"

"""The answer to "does this release load the model?": yes, no or unknown, for each verdict of an audit.

All outputs take answers, words and counts from here, so that none counts an unknown verdict as yes or no.
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
"""The reason of "unreadable" for a kind of file that no reader supports: a release may well load it."""
_COUNTED: Mapping[Answer, str] = {"yes": "load", "no": "do not load", "unknown": "unknown"}


def answer(verdict: str, reason: str | None = None) -> Answer:
    """Return whether a release loads a model with unchanged meaning; "changed" is a no."""
    if verdict == "cannot_tell" or (verdict == "unreadable" and reason == UNKNOWN_KIND):
        return "unknown"
    return "yes" if verdict == "loads" else "no"


def counts(verdicts: Mapping[str, int]) -> dict[Answer, int]:
    """Return the number of models per answer, from the number per verdict; unreadable models are left out."""
    totals = dict.fromkeys(ANSWERS, 0)
    for verdict, count in verdicts.items():
        # No release was asked about a file that is no model: it is neither a yes nor a no.
        if verdict != "unreadable":
            totals[answer(verdict)] += count
    return totals


def describe_verdicts(verdicts: Mapping[str, int]) -> str:
    """Return the counts of verdicts as text: `12 load, 2 do not load (1 changed, 1 refused), 3 unknown`."""
    texts = {name: f"{verdicts[name]} {name}" for name in VERDICTS if verdicts.get(name)}
    unreadable = texts.pop("unreadable", None)
    refused = ", ".join(text for name, text in texts.items() if answer(name) == "no")
    parts = []
    for key, count in counts(verdicts).items():
        if count:
            parts.append(f"{count} {_COUNTED[key]} ({refused})" if key == "no" else f"{count} {_COUNTED[key]}")
    return ", ".join(parts if unreadable is None else [*parts, unreadable])


def outcomes(report: Report) -> Counter[str]:
    """Return the number of models per verdict in a report of audits; empty for a report of specs."""
    return Counter(audit.outcome for audit in report.comparisons if audit.outcome is not None)


def stamp(report: Report) -> Literal["fails", "unknown", "passes"]:
    """Return the result of a report: `fails`, or else `unknown` if any verdict is unknown, or else `passes`."""
    if report.failed:
        return "fails"
    return "unknown" if counts(outcomes(report))["unknown"] else "passes"

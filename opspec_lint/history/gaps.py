"""Gaps of a history: runs of revisions at which a contract could not be read."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line, plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.history.store import Commit, History


class Gap(Record):
    """Successive revisions at which the contract of `source` could not be read.

    `count` is the number of revisions, and `reason` the error at the first one.
    """

    source: str
    first: Commit
    last: Commit
    count: int
    reason: str


def gaps(history: History, after: int, upto: int) -> list[Gap]:
    """Return the gaps among the revisions after number `after` up to `upto`, by contract, oldest first.

    Raises InputError if the file is damaged.
    """
    runs: list[tuple[int, int, int, str]] = []
    for contract, number, reason in history.unread_rows(after, upto):
        if runs and runs[-1][0] == contract and runs[-1][2] == number - 1:
            runs[-1] = (contract, runs[-1][1], number, runs[-1][3])
        else:
            runs.append((contract, number, number, reason))
    sources = history.contracts()
    return [
        Gap(
            source=sources[contract],
            first=history.commit_at(first),
            last=history.commit_at(last),
            count=last - first + 1,
            reason=reason,
        )
        for contract, first, last, reason in runs
    ]


def gap_text(gap: Gap) -> str:
    """Return a gap as one line: "not read: SOURCE at DATE ID to DATE ID, 7 revisions: the reason"."""
    last = "" if gap.count == 1 else f" to {gap.last.date} {gap.last.id[:10]}, {plural(gap.count, 'revision')}"
    return one_line(f"not read: {gap.source} at {gap.first.date} {gap.first.id[:10]}{last}: {gap.reason}")


def gap_json(gap: Gap) -> dict[str, str | int]:
    """Return a gap as a JSON object."""
    return {
        "source": gap.source,
        "from": gap.first.id,
        "to": gap.last.id,
        "revisions": gap.count,
        "reason": gap.reason,
    }

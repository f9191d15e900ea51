"""The commits that changed the contract as text and as JSON."""

from __future__ import annotations

import json

from opspec_lint.history.gaps import gap_json, gap_text
from opspec_lint.history.releases import final
from opspec_lint.kit.text import one_line, plural
from opspec_lint.report.as_json import as_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.history.gaps import Gap
    from opspec_lint.history.log import LoggedCommit
    from opspec_lint.report.findings import Finding

VERSION = 1


def to_json(entries: Sequence[LoggedCommit], gaps: Sequence[Gap], source: str) -> str:
    """Return commits as JSON text, in their order.

    Args:
        entries: the commits.
        gaps: the revisions that could not be read.
        source: what they are the history of.
    """
    commits = [
        {
            "commit": each.commit.id,
            "date": each.commit.date,
            "subject": each.commit.subject,
            "pull_request": each.commit.pull_request,
            "releases": list(each.releases),
            "findings": [as_json(finding) for finding in each.findings],
        }
        for each in entries
    ]
    document = {
        "version": VERSION,
        "source": source,
        "commits": commits,
        "unread": [gap_json(gap) for gap in gaps],
    }
    return json.dumps(document, indent=1) + "\n"


def to_text(entries: Sequence[LoggedCommit], gaps: Sequence[Gap]) -> str:
    """Return commits as text, in their order, each with its findings, then the revisions that could not be read."""
    lines = [line for each in entries for line in _lines(each)]
    if gaps:
        lines += [*map(gap_text, gaps), ""]
    findings = sum(len(each.findings) for each in entries)
    lines.append(f"{plural(len(entries), 'commit')}, {plural(findings, 'finding')}")
    return "\n".join(lines) + "\n"


def release_words(releases: Sequence[str]) -> str:
    """Return the first release that contains a commit, and how many do; previews of a release do not count."""
    known = final(releases)
    if not known:
        return "in no release"
    return f"in {known[0]}" if len(known) == 1 else f"in {plural(len(known), 'release')} since {known[0]}"


def _lines(entry: LoggedCommit) -> Iterator[str]:
    commit = entry.commit
    yield one_line(f"{commit.date} {commit.id[:10]} {commit.subject}")
    yield one_line(f"           {release_words(entry.releases)}")
    for finding in entry.findings:
        yield one_line(f"  {finding.level:<9}{_subject(finding)}{finding.message}  {finding.rule}")
    yield ""


def _subject(finding: Finding) -> str:
    return "" if finding.op is None else f"{finding.op}: "

"""The text and JSON output of `opspec-lint log`."""

from __future__ import annotations

import json

from opspec_lint.history.gaps import gap_json, gap_text
from opspec_lint.history.releases import without_previews
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
    """Return the commits as JSON text in their order, with the unread revisions; `source` names the history."""
    commits = [
        {
            "commit": entry.commit.id,
            "date": entry.commit.date,
            "subject": entry.commit.subject,
            "pull_request": entry.commit.pull_request,
            "releases": list(entry.releases),
            "findings": [as_json(finding) for finding in entry.findings],
        }
        for entry in entries
    ]
    document = {
        "version": VERSION,
        "source": source,
        "commits": commits,
        "unread": [gap_json(gap) for gap in gaps],
    }
    return json.dumps(document, indent=1) + "\n"


def to_text(entries: Sequence[LoggedCommit], gaps: Sequence[Gap]) -> str:
    """Return the commits as text in their order, each with its findings, and then the unread revisions."""
    lines = [line for entry in entries for line in _lines(entry)]
    if gaps:
        lines += [*map(gap_text, gaps), ""]
    findings = sum(len(entry.findings) for entry in entries)
    lines.append(f"{plural(len(entries), 'commit')}, {plural(findings, 'finding')}")
    return "\n".join(lines) + "\n"


def release_text(releases: Sequence[str]) -> str:
    """Return the first release that contains a commit, and the number of such releases, without previews."""
    known = without_previews(releases)
    if not known:
        return "in no release"
    return f"in {known[0]}" if len(known) == 1 else f"in {plural(len(known), 'release')} since {known[0]}"


def _lines(entry: LoggedCommit) -> Iterator[str]:
    commit = entry.commit
    yield one_line(f"{commit.date} {commit.id[:10]} {commit.subject}")
    yield one_line(f"           {release_text(entry.releases)}")
    for finding in entry.findings:
        yield one_line(f"  {finding.level:<9}{_subject(finding)}{finding.message}  {finding.rule}")
    yield ""


def _subject(finding: Finding) -> str:
    return "" if finding.op is None else f"{finding.op}: "

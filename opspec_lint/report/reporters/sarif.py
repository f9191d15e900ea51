"""The reporter `sarif`: SARIF 2.1.0 (OASIS) for GitHub code scanning.

Properties and limits follow GitHub's "SARIF support for code scanning".
"""

from __future__ import annotations

from itertools import islice

from opspec_lint import __version__
from opspec_lint.kit.text import one_line, plural, shorten
from opspec_lint.report import answers
from opspec_lint.report.entries import entries
from opspec_lint.report.findings import worst
from opspec_lint.report.links import rule_page
from opspec_lint.report.reporter import Reporter
from opspec_lint.report.streamed_json import Array, encode_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.fixes.fix import Fix
    from opspec_lint.fixes.text_file import Edit
    from opspec_lint.report.entries import Anchor, Entry
    from opspec_lint.report.findings import Finding, Report, RuleFacts


ACCEPTED = 25_000
"""Greatest number of results per run; GitHub rejects a file with more as a whole."""
SHOWN = 5_000
"""Number of results per run that GitHub shows, by severity."""

_DESCRIPTION = 1024
_ESCAPES = str.maketrans({"\\": "\\\\", "[": "\\[", "]": "\\]", "{": "{{", "}": "}}"})
"""SARIF 3.11.5 and 3.11.6: unescaped, brackets are links and braces are placeholders."""
_SEVERITIES = {"error": "error", "warning": "warning", "note": "recommendation"}


def render(report: Report) -> str:
    """Return the report as a SARIF log of one run."""
    return "".join(parts(report))


def parts(report: Report) -> Iterator[str]:
    """Yield the log in parts."""
    count = len(report.findings)
    rules = _rules(report)
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    # SARIF 3.27.23: all results of a run have suppressions, or none has. An empty list says: not suppressed.
    common: dict[str, Any] = {"suppressions": []} if report.waived or report.approved else {}
    results = ({**common, **_result(entry, index)} for entry in islice(entries(report), ACCEPTED))
    driver = {
        "name": "opspec-lint",
        "semanticVersion": __version__,
        "rules": rules,
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _notifications(count)}],
        "results": Array(results, min(count, ACCEPTED)),
    }
    outcomes = answers.outcomes(report)
    if outcomes:
        run["properties"] = {"loads": answers.counts(outcomes)}
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return encode_parts(document)


def _notifications(count: int) -> list[dict[str, Any]]:
    """Return a warning if GitHub will not accept or show all of `count` findings."""
    if count > ACCEPTED:
        left = count - ACCEPTED
        text = (
            f"the {left:,} least severe of {plural(count, 'finding')} are left out: GitHub accepts {ACCEPTED:,} at most"
        )
    elif count > SHOWN:
        text = f"GitHub shows the {SHOWN:,} most severe of {plural(count, 'finding')}"
    else:
        return []
    return [{"level": "warning", "message": _message(text)}]


def _rules(report: Report) -> list[dict[str, Any]]:
    """Return the descriptors of the rules of a report, in order of id."""
    findings: dict[str, list[Finding]] = {}
    for finding in report.findings:
        findings.setdefault(finding.rule, []).append(finding)
    facts = {rule.id: rule for rule in report.rules}
    described = (
        _rule(name, facts.get(name), findings.get(name, [])) for name in sorted(facts.keys() | findings.keys())
    )
    if report.documentation is None:
        return list(described)
    return [{**rule, "helpUri": rule_page(report.documentation, rule["id"])} for rule in described]


def _rule(name: str, facts: RuleFacts | None, findings: list[Finding]) -> dict[str, Any]:
    """Return the descriptor of a rule; its level is the worst of its findings in this report."""
    level = worst("note", *(finding.level for finding in findings))
    directions = sorted({direction for finding in findings for direction in finding.directions})
    # Only a rename is a guess; any other finding follows from the declarations.
    guessed = any(finding.confidence is not None for finding in findings)
    title, full, documentation = name, name, _message(name)
    if facts is not None:
        title, full = facts.title, f"{facts.flags} {facts.why}"
        sections = (("What it flags", facts.flags), ("Why it breaks", facts.why), ("What to do instead", facts.instead))
        documentation = {
            **_message("\n\n".join(f"{heading}: {text}" for heading, text in sections)),
            "markdown": "\n\n".join(f"## {heading}\n\n{text}" for heading, text in sections),
        }
    return {
        "id": name,
        "name": name.title().replace("_", ""),
        "shortDescription": _message(shorten(title, _DESCRIPTION)),
        "fullDescription": _message(shorten(full, _DESCRIPTION)),
        "help": documentation,
        "defaultConfiguration": {"level": level},
        "properties": {
            "tags": ["compatibility", *directions],
            "precision": "high" if guessed else "very-high",
            "problem.severity": _SEVERITIES[level],
        },
    }


def _result(entry: Entry, index: dict[str, int]) -> dict[str, Any]:
    """Return an entry as a result; `index` are the positions of rules by id."""
    finding = entry.finding
    details = (f"{line[:1].upper()}{line[1:]}" for line in entry.lines)
    sentences = (f"{entry.subject}: {entry.message}", *details)
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": finding.level,
        "message": _message(" ".join(f"{sentence.rstrip('.')}." for sentence in sentences)),
        "locations": [_location(entry.place)],
        # Code scanning reads the first alone. Left to the upload action, it would be a hash of the line, and findings
        # of one rule on one line (all those of a spec file without line breaks) would be one alert.
        "partialFingerprints": {"primaryLocationLineHash": finding.fingerprint, "opspecLint/v1": finding.fingerprint},
        "properties": {
            "kind": finding.kind,
            "op": _text(finding.op),
            "name": _text(finding.name),
            "directions": list(finding.directions),
            "review": _text(finding.review),
        },
    }
    if entry.cleared is not None:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": entry.cleared}]
    if finding.approval is not None:
        result["properties"]["approvedBy"] = [one_line(login) for login in finding.approval.by]
    if finding.waived is not None:
        result["properties"]["waiverIsNew"] = finding.waived.is_new
    if finding.fixes:
        result["fixes"] = list(map(_fix, finding.fixes))
    if entry.base is not None:
        result["relatedLocations"] = [{"id": 1, "message": _message("in base"), **_location(entry.base)}]
    return result


def _fix(fix: Fix) -> dict[str, Any]:
    """Return a fix, with its edits by file (SARIF 3.55 to 3.57)."""
    by_file: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        by_file.setdefault(edit.file, []).append(edit)
    changes = [
        {"artifactLocation": {"uri": _uri(file)}, "replacements": list(map(_replacement, edits))}
        for file, edits in by_file.items()
    ]
    return {"description": _message(f"{fix.description} ({fix.safety})"), "artifactChanges": changes}


def _replacement(edit: Edit) -> dict[str, Any]:
    """Return an edit as a replacement."""
    (line, column), (end_line, end_column) = edit.start, edit.end
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"deletedRegion": region, "insertedContent": {"text": edit.text}}


def _location(place: Anchor) -> dict[str, Any]:
    """Return a location of one character: GitHub requires an end, and the end of a declaration is unknown."""
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.line,
        "endColumn": place.column + 1,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(place.path)}, "region": region}}


def _uri(path: str) -> str:
    """Return a path as a relative URI."""
    from urllib.parse import quote

    return quote(path, safe="/", errors="backslashreplace")


def _message(text: str) -> dict[str, str]:
    """Return a text as a message object."""
    return {"text": text.translate(_ESCAPES)}


def _text(text: str | None) -> str | None:
    """Return a text for a property bag, on one line."""
    return None if text is None else one_line(text)


REPORTER = Reporter(
    summary="SARIF 2.1.0, for GitHub code scanning", render=render, parts=parts, wants_lines=True, wants_fixes=True
)

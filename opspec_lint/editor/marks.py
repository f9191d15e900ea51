"""Findings as marks of an editor: with their place, an explanation, the place in base, and the fixes."""

from __future__ import annotations

import os

from opspec_lint.editor.messages import BasePlace, FileEdits, FilePlace, FixAction, Mark
from opspec_lint.kit.record import Record
from opspec_lint.report.entries import entries
from opspec_lint.report.links import rule_page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.editor.lines import Lines
    from opspec_lint.fixes.fix import Fix
    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.report.entries import Anchor, Entry
    from opspec_lint.report.findings import Report, RuleFacts

_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\`*_{}[]<>#|~"})
"""The characters with a meaning in Markdown, each with its escaped form."""


class SideFiles(Record):
    """The files of both sides: their lines, the top of the repository, and the base commit.

    `base_specs` are the names of the specs at this commit; head is compared with others, too: released specs.
    """

    top: str
    commit: str
    base_specs: frozenset[str]
    base: Lines
    head: Lines


def marks(report: Report, sides: SideFiles) -> tuple[Mark, ...]:
    """Return the findings of a report, the worst first."""
    rules = {rule.id: rule for rule in report.rules}
    against_base = (comparison for comparison in report.comparisons if comparison.base.file in sides.base_specs)
    # By identity: an equal finding may be against a release, whose places are in no file of base.
    at_base = {id(finding) for comparison in against_base for finding in comparison.findings}
    return tuple(
        _mark(entry, rules.get(entry.finding.rule), sides, is_at_base=id(entry.finding) in at_base).replace(
            page=rule_page(report.documentation, entry.finding.rule)
        )
        for entry in entries(report)
    )


def _mark(entry: Entry, rule: RuleFacts | None, sides: SideFiles, *, is_at_base: bool) -> Mark:
    """Return the mark of a finding; `is_at_base`: it was found against the base commit, not against a release."""
    anchor, finding = entry.place, entry.finding
    return Mark(
        place=FilePlace(
            path=os.path.join(sides.top, anchor.path),
            range=sides.head.range_at(anchor.path, anchor.line, anchor.column),
        ),
        group=entry.group,
        rule=finding.rule,
        page=None,
        fingerprint=finding.fingerprint,
        message=_message(entry),
        explanation="\n\n".join(_explanation(entry, rule)),
        base=base_place(entry.base, sides) if is_at_base else None,
        actions=tuple(_action(fix, sides) for fix in finding.fixes),
    )


def _message(entry: Entry) -> str:
    """Return the text of a diagnostic: the message, who breaks, and what to do."""
    mark = "" if entry.cleared is None else f"[{entry.cleared}] "
    return "\n".join((f"{mark}{entry.subject}: {entry.message}", *entry.lines[:2]))


def _explanation(entry: Entry, rule: RuleFacts | None) -> Iterator[str]:
    """Yield the paragraphs of the hover text of a finding, in Markdown."""
    yield f"**{plain(entry.subject)}**: {plain(entry.message)}"
    yield "\n".join(f"- {plain(line)}" for line in entry.lines)
    if rule is not None:
        yield f"*{rule.id}* flags: {plain(rule.flags)}"
        yield f"Why it breaks: {plain(rule.why)}"
    if entry.cleared is None and entry.finding.kind != "waiver":
        yield f"To accept it: `opspec-lint waive {entry.finding.fingerprint} --reason WHY --owner WHO`"


def plain(text: str) -> str:
    """Return a text with the characters escaped that have a meaning in Markdown."""
    return text.translate(_ESCAPED)


def base_place(anchor: Anchor | None, sides: SideFiles) -> BasePlace | None:
    """Return the place of an anchor in a file of base, None without an anchor or such a file."""
    if anchor is None or sides.base.lacks(anchor.path):
        return None
    where = sides.base.range_at(anchor.path, anchor.line, anchor.column)
    return BasePlace(top=sides.top, commit=sides.commit, path=anchor.path, range=where)


def _action(fix: Fix, sides: SideFiles) -> FixAction:
    """Return a fix with its edits by file."""
    by_file: dict[TextFile, list[Edit]] = {}
    for edit in fix.edits:
        by_file.setdefault(edit.source, []).append(edit)
    return FixAction(
        title=fix.description,
        is_safe=fix.safety == "safe",
        files=tuple(
            FileEdits(
                path=os.path.join(sides.top, file.path),
                is_new=file.data is None,
                edits=tuple(_edit(edit, sides.head) for edit in edits),
            )
            for file, edits in by_file.items()
        ),
    )


def _edit(edit: Edit, lines: Lines) -> tuple[tuple[int, int, int, int], str]:
    """Return the range and the text of an edit."""
    return (*lines.position(edit.file, *edit.start), *lines.position(edit.file, *edit.end)), edit.text

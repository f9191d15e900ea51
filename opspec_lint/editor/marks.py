"""Findings as marks of an editor: at their place, with an explanation, the place in base, and the fixes."""

from __future__ import annotations

import os

from opspec_lint.editor.messages import Action, BasePlace, FileEdits, Mark, Place
from opspec_lint.kit.record import Record
from opspec_lint.report.entries import entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.editor.lines import Lines
    from opspec_lint.fixes.fix import Fix
    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.report.entries import Anchor, Entry
    from opspec_lint.report.findings import Report, RuleFacts

_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\`*_{}[]<>#|~"})
"""By a character that means something in Markdown: how it is written to mean nothing."""


class Sides(Record):
    """The files of both sides: their lines, the top of the repository, and the commit that is base.

    `of_base` are the names of the specs of this commit; others that head is compared with are releases.
    """

    top: str
    commit: str
    of_base: frozenset[str]
    base: Lines
    head: Lines


def marks(report: Report, sides: Sides) -> tuple[Mark, ...]:
    """Return the findings of a report, the worst first."""
    rules = {each.id: each for each in report.rules}
    against_base = (each for each in report.comparisons if each.base.file in sides.of_base)
    at_base = {id(finding) for each in against_base for finding in each.findings}
    return tuple(
        _mark(each, rules.get(each.finding.rule), sides, is_at_base=id(each.finding) in at_base)
        for each in entries(report)
    )


def _mark(entry: Entry, rule: RuleFacts | None, sides: Sides, *, is_at_base: bool) -> Mark:
    anchor, finding = entry.place, entry.finding
    return Mark(
        place=Place(
            path=os.path.join(sides.top, anchor.path),
            range=sides.head.range_at(anchor.path, anchor.line, anchor.column),
        ),
        group=entry.group,
        rule=finding.rule,
        message=_message(entry),
        explanation="\n\n".join(_explanation(entry, rule)),
        base=base_place(entry.base, sides) if is_at_base else None,
        actions=tuple(_action(each, sides) for each in finding.fixes),
    )


def _message(entry: Entry) -> str:
    mark = "" if entry.cleared is None else f"[{entry.cleared}] "
    return "\n".join((f"{mark}{entry.subject}: {entry.message}", *entry.lines[:2]))


def _explanation(entry: Entry, rule: RuleFacts | None) -> Iterator[str]:
    yield f"**{plain(entry.subject)}**: {plain(entry.message)}"
    yield "\n".join(f"- {plain(each)}" for each in entry.lines)
    if rule is not None:
        yield f"*{rule.id}* flags: {plain(rule.flags)}"
        yield f"Why it breaks: {plain(rule.why)}"


def plain(text: str) -> str:
    """Return a text whose characters mean nothing to Markdown."""
    return text.translate(_ESCAPED)


def base_place(anchor: Anchor | None, sides: Sides) -> BasePlace | None:
    """Return a position in a file of base as a place, None where there is none, or no such file."""
    if anchor is None or sides.base.lacks(anchor.path):
        return None
    where = sides.base.range_at(anchor.path, anchor.line, anchor.column)
    return BasePlace(top=sides.top, commit=sides.commit, path=anchor.path, range=where)


def _action(fix: Fix, sides: Sides) -> Action:
    by_file: dict[TextFile, list[Edit]] = {}
    for each in fix.edits:
        by_file.setdefault(each.source, []).append(each)
    return Action(
        title=fix.description,
        is_safe=fix.safety == "safe",
        files=tuple(
            FileEdits(
                path=os.path.join(sides.top, file.path),
                is_new=file.data is None,
                edits=tuple(_edit(each, sides.head) for each in edits),
            )
            for file, edits in by_file.items()
        ),
    )


def _edit(edit: Edit, lines: Lines) -> tuple[tuple[int, int, int, int], str]:
    return (*lines.position(edit.file, *edit.start), *lines.position(edit.file, *edit.end)), edit.text

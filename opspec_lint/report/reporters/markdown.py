"""GitHub Markdown, for the summary of a step or a comment: the verdict, then each level by op, long parts folded.

What this change waives stands open; what a team has approved, and what was waived before, is folded.

What comes from a spec stands in a code span, or is escaped: it makes no markup, opens no HTML, calls nobody (`@name`)
and links to no issue (`#1`).
"""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import one_line, plural, shorten
from opspec_lint.report import release
from opspec_lint.report.entries import GROUPS, SIDES, counts, entries, ignored_count, unchanged_count
from opspec_lint.report.reporter import Reporter
from opspec_lint.report.versions import least_after

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Comparison, Level, Report, RuleFacts, Side


LIMIT = 1024 * 1024 - 1
"""Bytes: GitHub drops a step summary of more than 1 MiB whole."""
_RESERVED = 1024
"""Bytes of them for what is said even where the rest is cut: the end of a fold, and how much is left out."""

_OPEN = 20
"""Up to so many findings of a level stand open, each with whom it breaks; more are folded, and so are all notes."""
_LISTED = 20
"""Comparisons that are named at the top."""
_LONGEST = 200
"""Characters of a file or a version."""
_LEVELS: tuple[Level, ...] = ("error", "warning", "note")

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MARKUP = "\\`*_[]|~$"
_ZERO_WIDTH_SPACE = "&#8203;"
_SPECIAL = pattern(rf"[&<>{re.escape(_MARKUP)}]|[@#:](?=[\w/])|\bGH-(?=\d)|\bwww(?=\.)", "i")


def render(report: Report) -> str:
    """Return the report as Markdown that GitHub takes for the summary of a step."""
    return render_within(report, LIMIT)


def render_within(report: Report, limit: int) -> str:
    """Return the report as Markdown of at most `limit` bytes in UTF-8; what is left out is the mildest, and counted."""
    every = list(entries(report))
    page = _Page(limit - _RESERVED)
    page.add(_head(report))
    written = 0
    for group in GROUPS:
        written += _section(page, group, _of_group(every, group))
    if written < len(every):
        left_out = counts([entry.finding for entry in every[written:]])
        page.end(("", f"**Left out here, to save space: {left_out}. `--format json` has them all.**"))
    else:
        page.add(_rules(report, every))
        page.add(_fixes(report))
    return page.text()


class _Page:
    """Lines, up to a number of bytes: from what does not fit on, nothing is added."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._full = False
        self._lines: list[str] = []

    def add(self, lines: Iterable[str]) -> bool:
        """Add all of the lines or none; return whether there was room."""
        block = list(lines)
        self._room -= sum(len(line.encode()) + 1 for line in block)
        self._full = self._full or self._room < 0
        if not self._full:
            self._lines += block
        return not self._full

    def end(self, lines: Iterable[str]) -> None:
        """Add lines that there is always room for."""
        self._lines += lines

    def text(self) -> str:
        """Return all lines."""
        return "\n".join([*self._lines, ""])


def _head(report: Report) -> Iterator[str]:
    yield f"## {'❌' if report.failed else '✅'} opspec-lint: {counts(report.findings) or 'no findings'}"
    if report.base is not None:
        yield from ("", f"Base: {_code(shorten(report.base, _LONGEST))}")
    yield from _comparisons(report.comparisons)
    if report.unchanged:
        yield from ("", f"{unchanged_count(report)}.")
    counted = [finding for finding in report.findings if finding.counts]
    if counted:
        yield from ("", "| Level | Findings | Ops | Break saved models |", "| --- | ---: | ---: | ---: |")
    for level in _LEVELS:
        findings = [finding for finding in counted if finding.level == level]
        if findings:
            ops = {finding.op for finding in findings if finding.op is not None}
            breaks = sum(not finding.is_relaxation for finding in findings)
            yield f"| {level} | {len(findings)} | {len(ops)} | {breaks} |"
    if report.findings or report.versions is not None:
        yield from ("", _release(report))
    if report.failed:
        yield from ("", "Next: fix the errors; `opspec-lint explain RULE` explains a rule.")


def _release(report: Report) -> str:
    """Return which release the change asks for, and why; and its least version, where the released one is known."""
    found, versions = release.verdict(report), report.versions
    least = ""
    if versions is not None:
        named = "" if versions.next is None else f", next {_code(shorten(versions.next.text, _LONGEST))}"
        after = f"after {_code(shorten(versions.released.text, _LONGEST))}{named}"
        least = f", {_code(least_after(found.part, versions.released).text)} at least ({after})"
    return f"Release: **{found.part}**{least}: {_prose(found.reason)}"


def _comparisons(comparisons: tuple[Comparison, ...]) -> Iterator[str]:
    """Yield what was compared: a paragraph, or a list with the counts of each."""
    if comparisons:
        yield ""
    if len(comparisons) == 1:
        yield _compared(comparisons[0])
        return
    for each in comparisons[:_LISTED]:
        yield f"- {_compared(each)}: {counts(each.findings) or 'no findings'}"
    if len(comparisons) > _LISTED:
        yield f"- and {plural(len(comparisons) - _LISTED, 'comparison')} more"


def _compared(comparison: Comparison) -> str:
    sides = f"{_side(comparison.base)} → {_side(comparison.head)}"
    ignored = f", {ignored_count(comparison.ignored)}" if comparison.ignored else ""
    return f"{sides}, profile {_code(shorten(comparison.profile, _LONGEST))}{ignored}"


def _section(page: _Page, group: str, found: list[Entry]) -> int:
    """Write the findings of a group under their ops, and return how many there was room for."""
    title, is_open = _title(group, len(found)), _is_open(group, found)
    opening = ("", f"### {title}", "") if is_open else ("", "<details>", f"<summary>{title}</summary>", "")
    if not found or not page.add(opening):
        return 0
    written, under = 0, ""
    for entry in found:
        above = _above(entry)
        header = [f"- {above}"] if above != under else []
        if not page.add([*header, *_item(entry, detailed=is_open and len(found) <= _OPEN)]):
            break
        written, under = written + 1, above
    if not is_open:
        page.end(("", "</details>"))
    return written


def _title(group: str, count: int) -> str:
    if group == "newly waived":
        return f"{count} waived by {'a new waiver' if count == 1 else 'new waivers'} of this change"
    return f"{count} {group}" if group in ("approved", "waived") else plural(count, group)


def _above(entry: Entry) -> str:
    """Return the header that an entry stands under: its op, and the spec if the report has several."""
    op = entry.finding.op
    of = "not about a single op" if op is None else _code(shorten(op, _LONGEST))
    return of if entry.spec is None else f"{of} in {_code(shorten(entry.spec, _LONGEST))}"


def _item(entry: Entry, *, detailed: bool) -> Iterator[str]:
    finding = entry.finding
    name = "" if finding.name is None else f" {_code(shorten(finding.name, _LONGEST))}"
    what = "" if finding.kind == "op" else f", {finding.kind}{name}"
    broken = "+".join(finding.directions)
    how = "no break" if not broken else f"relaxation, {broken}" if finding.is_relaxation else f"break, {broken}"
    at = "" if entry.code is None else f"; {_code(shorten(f'{entry.code.path}:{entry.code.line}', _LONGEST))}"
    yield f"  - {_code(finding.rule)}{what}: {_prose(entry.message)} ({how}; `{finding.fingerprint}`{at})"
    cleared = () if entry.cleared is None else (entry.cleared,)
    yield from (f"    - {_detail(line)}" for line in (entry.details if detailed else cleared))


def _detail(line: str) -> str:
    """Return a line of the details of an entry; a declaration in it stands as code."""
    word, _, text = line.partition(": ")
    return f"{word}: {_code(text)}" if word in SIDES else _with_code(line)


def _with_code(text: str) -> str:
    """Return a text whose parts between backticks are code, so that they can be copied as they are."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _prose(text)
    return "".join(_code(part) if place % 2 and part else _prose(part) for place, part in enumerate(parts))


def _rules(report: Report, every: list[Entry]) -> Iterator[str]:
    """Yield what the rules say where the findings are too many to say it of each."""
    facts = {rule.id: rule for rule in report.rules}
    of_rule: dict[str, list[Entry]] = {}
    for group in ("error", "warning"):
        found = _of_group(every, group)
        for entry in [] if _is_open(group, found) else found:
            of_rule.setdefault(entry.finding.rule, []).append(entry)
    if of_rule:
        yield from ("", "<details>", "<summary>What the rules say</summary>", "")
        for rule, found in of_rule.items():
            yield f"- {_code(rule)}: {plural(len(found), 'finding')}"
            yield from (f"  - {_detail(line)}" for line in _saying(facts.get(rule), found[0]))
        yield from ("", "</details>")


def _fixes(report: Report) -> Iterator[str]:
    """Yield the patch that `--fix` applies, folded; nothing without fixes."""
    if not any(finding.fixes for finding in report.findings):
        return
    from opspec_lint.report.patch import patch, plan_of

    lines = [one_line(line.rstrip("\r")) for line in patch(plan_of(report)).split("\n")[:-1]]
    if lines:
        fence = "`" * max(3, 1 + max(len(run) for line in lines for run in re.findall("`*", line)))
        title = "The patch of all safe fixes, which <code>opspec-lint check --fix</code> applies"
        yield from ("", "<details>", f"<summary>{title}</summary>", "", f"{fence}diff", *lines, fence)
        yield from ("", "</details>")


def _saying(facts: RuleFacts | None, example: Entry) -> tuple[str, ...]:
    return example.details if facts is None else (f"why it breaks: {facts.why}", f"instead: {facts.instead}")


def _is_open(group: str, found: list[Entry]) -> bool:
    return group == "newly waived" or (group in ("error", "warning") and len(found) <= _OPEN)


def _of_group(every: list[Entry], group: str) -> list[Entry]:
    return [entry for entry in every if entry.group == group]


def _side(side: Side) -> str:
    version = side.provenance.version
    name = f"{side.of} {version}" if version else side.of
    return f"{_code(shorten(name, _LONGEST))} ({_code(shorten(side.file, _LONGEST))})"


def _code(text: str) -> str:
    """Return a text as a code span, whatever backticks it holds (CommonMark 6.1)."""
    text = one_line(text) or " "
    runs = [len(run) for run in re.findall("`+", text)]
    fence = "`" * (max(runs, default=0) + 1)
    pad = " " if text.strip() and (text[0] in "` " or text[-1] in "` ") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _prose(text: str) -> str:
    """Return a text that reads as it is. Where GitHub would make a link of it, a space of no width comes between."""

    def escape(match: re.Match[str]) -> str:
        char = match[0]
        if char in _ENTITIES:
            return _ENTITIES[char]
        return f"\\{char}" if char in _MARKUP else char + _ZERO_WIDTH_SPACE

    return _SPECIAL.sub(escape, one_line(text))


REPORTER = Reporter(
    summary="Markdown, for a step summary or a comment on GitHub",
    render=render,
    render_within=render_within,
    wants_fixes=True,
)

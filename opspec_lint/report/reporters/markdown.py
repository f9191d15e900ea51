"""GitHub Markdown, for a comment or the summary of a step: what breaks, in a table; all else below it, folded.

A row says what changed and what happens to models; it unfolds to what to do, the edit, the rule and how to waive it.
What this change waives stands open; notes, warnings, what a team has approved and what was waived before are folded.

What comes from a spec stands in a code span, or is escaped: it makes no markup, opens no HTML, calls nobody (`@name`)
and links to no issue (`#1`).
"""

from __future__ import annotations

from opspec_lint.kit.text import plural, shorten
from opspec_lint.report import answers, release
from opspec_lint.report.details import SIDES
from opspec_lint.report.entries import counts, entries, ignored_count, unchanged_count
from opspec_lint.report.headline import headline, is_asked
from opspec_lint.report.links import line_link, rule_link
from opspec_lint.report.markup import Page, code, fenced, prose, with_code
from opspec_lint.report.ranking import GROUPS
from opspec_lint.report.reporter import Reporter
from opspec_lint.report.rows import brief, grouped
from opspec_lint.report.versions import needed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opspec_lint.report.details import Detail
    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Comparison, Finding, Report, Side


LIMIT = 1024 * 1024 - 1
"""Bytes: GitHub drops a step summary of more than 1 MiB whole."""
_RESERVED = 512
"""Bytes of them for what is said even where the rest is cut: the end of a fold, and how much is left out."""

_OPEN = 20
"""Rows of errors that stand open; more are folded."""
_LISTED = 20
"""Comparisons that are named, and names of ops in a row."""
_LONGEST = 200
"""Characters of a file, a version or a name."""
_TEXT = 2000
"""Characters of a text."""
_MARKS = {"fails": "❌", "unknown": "❔", "passes": "✅"}


def render(report: Report) -> str:
    """Return the report as Markdown that GitHub takes for the summary of a step."""
    return render_within(report, LIMIT)


def render_within(report: Report, limit: int) -> str:
    """Return the report as Markdown of at most `limit` bytes in UTF-8; what is left out is the mildest, and counted."""
    every = list(entries(report))
    small = list(_small(report))
    page = Page(limit - _RESERVED - sum(len(line.encode()) + 1 for line in small))
    page.add([f"## {_headline(report)}"])
    writer = _Writer(report, page)
    left: list[Entry] = []
    for group in GROUPS:
        left += writer.group(group, [entry for entry in every if entry.group == group])
    if left:
        said = counts([entry.finding for entry in left])
        page.end(("", f"**Left out here, to save space: {said}. `--format html` and `json` have them all.**"))
    else:
        page.add(_fixes(report))
        page.add(_comparisons(report))
    page.end(small)
    return page.text()


def _headline(report: Report) -> str:
    """Return the verdict in a line, with a mark."""
    mark = _MARKS[answers.stamp(report)]
    outcomes = answers.outcomes(report)
    return f"{mark} {_of_audits(report.comparisons, outcomes) if outcomes else headline(report)}"


def _of_audits(audits: Sequence[Comparison], outcomes: Mapping[str, int]) -> str:
    if len(audits) == 1:
        only = audits[0]
        return f"{code(shorten(only.base.file, _LONGEST))} {prose(only.verdict or '')}"
    return f"{plural(len(audits), 'audit')}: {answers.counted(outcomes)}"


def _small(report: Report) -> Iterator[str]:
    """Yield what was compared and the release that it asks for, in one small line."""
    parts = []
    if report.findings or report.versions is not None:
        parts.append(_release(report))
    if len(report.comparisons) == 1:
        parts.append(_compared(report.comparisons[0]))
    elif report.comparisons:
        parts.append(plural(len(report.comparisons), "comparison"))
    if report.base is not None:
        parts.append(f"base {code(shorten(report.base, _LONGEST))}")
    if report.unchanged:
        parts.append(unchanged_count(report))
    if parts:
        yield from ("", f"<sub>{' · '.join(parts)}</sub>")


def _release(report: Report) -> str:
    """Return which release the change asks for; its least version, where the released one is known."""
    part, versions = release.verdict(report).part, report.versions
    least = "" if versions is None else f", {prose(shorten(needed(part, versions), _LONGEST))}"
    return f"asks for a {part} release{least}"


def _comparisons(report: Report) -> Iterator[str]:
    """Yield what was compared where it is not one pair: a list with the counts of each."""
    every = report.comparisons
    if len(every) < 2:
        return
    yield from ("", "<details>", f"<summary>{plural(len(every), 'comparison')}</summary>", "")
    for each in every[:_LISTED]:
        yield f"- {_compared(each)}: {counts(each.findings) or 'no findings'}"
    if len(every) > _LISTED:
        yield f"- and {plural(len(every) - _LISTED, 'comparison')} more"
    yield from ("", "</details>")


def _compared(comparison: Comparison) -> str:
    sides = f"{_side(comparison.base)} → {_side(comparison.head)}"
    ignored = f", {ignored_count(comparison.ignored)}" if comparison.ignored else ""
    word = "profile" if comparison.verdict is None else "loader"
    return f"{sides}, {word} {code(shorten(comparison.profile, _LONGEST))}{ignored}"


def _side(side: Side) -> str:
    version = side.provenance.version
    name = f"{side.of} {version}" if version else side.of
    file = f" ({code(shorten(side.file, _LONGEST))})" if side.file != f"{side.of}@{version}" else ""
    return f"{code(shorten(name, _LONGEST))}{file}"


class _Writer:
    """Writes the findings of a report to a page, as long as there is room."""

    def __init__(self, report: Report, page: Page) -> None:
        self._report, self._page = report, page
        self._rules = {rule.id: rule for rule in report.rules}

    def group(self, group: str, found: list[Entry]) -> list[Entry]:
        """Write the entries of a group, and return those that there was no room for."""
        if group == "error":
            asked = [entry for entry in found if is_asked(entry.finding)]
            rows = grouped(entry for entry in found if not is_asked(entry.finding))
            left = self._table(rows[:_OPEN], "")
            more = sum(map(len, rows[_OPEN:]))
            left += self._table(rows[_OPEN:], plural(more, "more error"))
            return left + self._list(asked, f"{_needing(len(asked))} only an approval", folded=False)
        if group == "warning":
            return self._table(grouped(found), plural(len(found), "warning"))
        return self._list(found, _title(group, len(found)), folded=group != "newly waived")

    def _table(self, rows: list[list[Entry]], title: str) -> list[Entry]:
        """Write rows as a table, folded under a title if there is one."""
        opening = ["", "<details>", f"<summary>{title}</summary>"] if title else []
        head = ["", "<table>", "<tr><th>Change</th><th>What happens to models</th></tr>"]
        return self._written(rows, [*opening, *head], self._row, ["</table>", *(["", "</details>"] if title else [])])

    def _list(self, found: list[Entry], title: str, *, folded: bool) -> list[Entry]:
        opening = ["", "<details>", f"<summary>{title}</summary>", ""] if folded else ["", f"### {title}", ""]
        closing = ["", "</details>"] if folded else []
        return self._written([[each] for each in found], opening, self._item, closing)

    def _written(
        self,
        rows: list[list[Entry]],
        opening: list[str],
        shown: Callable[[list[Entry]], Iterator[str]],
        closing: list[str],
    ) -> list[Entry]:
        """Write rows between two texts, and return the entries of those that there was no room for."""
        if not rows or not self._page.add(opening):
            return [entry for row in rows for entry in row]
        written = 0
        for row in rows:
            if not self._page.add(shown(row)):
                break
            written += 1
        self._page.end(closing)
        return [entry for row in rows[written:] for entry in row]

    def _row(self, row: list[Entry]) -> Iterator[str]:
        finding = row[0].finding
        change = "<br>".join(each for each in self._change(row) if each)
        yield f"<tr><td>\n\n{change}\n\n</td><td>\n\n{self._effect(row)}\n\n</td></tr>"
        yield from ('<tr><td colspan="2"><details><summary>What to do</summary>', "")
        yield f"- {self._instead(row)}"
        for detail in row[0].details[2:] if len(row) == 1 else ():
            yield f"- {_detail(detail, _names(finding))}"
        if finding.also:
            yield f"- also against {', '.join(code(shorten(each, _LONGEST)) for each in finding.also)}"
        for fix in finding.fixes[:1]:
            from opspec_lint.fixes.unified import fix_diff

            yield from ("", f"{with_code(fix.description)}:", "", *fenced(fix_diff(fix).splitlines(), "diff"), "")
        if len(row) > _LISTED:
            names = [entry.finding.op if finding.kind == "op" else entry.finding.name for entry in row]
            yield f"- all of them: {', '.join(code(shorten(name or '', _LONGEST)) for name in names)}"
        yield f"- rule {rule_link(finding.rule)}"
        yield f"- to accept it: {code(_waive(row))}"
        yield from ("", "</details></td></tr>")

    def _place(self, entry: Entry) -> str:
        origin = entry.finding.head_origin
        if origin is None or origin.line is None:
            return ""
        place = entry.place
        there = self._report.lines_there.get((place.path, place.line), place.line)
        return line_link(self._report.address, place.replace(line=there))

    def _change(self, row: list[Entry]) -> list[str]:
        """Return the op and the argument of a row, what changed, and where."""
        entry, finding = row[0], row[0].finding
        if len(row) > 1:
            facts = self._rules.get(finding.rule)
            return [*_family(row), prose(entry.message if facts is None else facts.title.rstrip("."))]
        found, about = brief(finding), _about(entry)
        if found is not None:
            old, new = ("none" if each is None else code(each) for each in (found.old, found.new))
            if not found.field:  # a rename: the old name stands at the end of what it is about
                return [*about[:-1], f"{about[-1]} → {new}", self._place(entry)]
            return [*about, f"{prose(found.field)} {old} → {new}", self._place(entry)]
        is_named = finding.kind != "op" and finding.name is not None and f"'{finding.name}'" in finding.message
        return [*(about[:-1] if is_named else about), with_code(entry.message, _names(finding)), self._place(entry)]

    def _effect(self, row: list[Entry]) -> str:
        finding = row[0].finding
        facts = self._rules.get(finding.rule)
        if len(row) > 1 and facts is not None:
            return with_code(facts.why)
        return with_code(shorten(finding.breaks, _TEXT), _names(finding))

    def _instead(self, row: list[Entry]) -> str:
        finding = row[0].finding
        facts = self._rules.get(finding.rule)
        if len(row) > 1 and facts is not None:
            return with_code(facts.instead)
        return with_code(shorten(finding.advice, _TEXT), _names(finding))

    def _item(self, row: list[Entry]) -> Iterator[str]:
        entry = row[0]
        finding = entry.finding
        said = [with_code(entry.message, _names(finding)), *([] if entry.cleared is None else [prose(entry.cleared)])]
        if is_asked(finding):
            said += [prose(detail.line) for detail in entry.details if detail.label == "review"]
        place = self._place(entry)
        yield f"- {', '.join(_about(entry))}: {'; '.join(said)} ({code(finding.rule)}{f', {place}' if place else ''})"


def _family(row: list[Entry]) -> list[str]:
    """Return the ops of a row, or the op and its arguments."""
    first = row[0].finding
    if first.kind == "op":
        return [f"{len(row)} ops: {_listed([each.finding.op for each in row])}{_in(row[0])}"]
    names = _listed([each.finding.name for each in row])
    return [f"{code(shorten(first.op or '', _LONGEST))}{_in(row[0])}", f"{len(row)} {first.kind}s: {names}"]


def _listed(names: list[str | None]) -> str:
    shown = ", ".join(code(shorten(name or "", _LONGEST)) for name in names[:_LISTED])
    return f"{shown} and {len(names) - _LISTED} more" if len(names) > _LISTED else shown


def _about(entry: Entry) -> list[str]:
    """Return the op that an entry is about, in which spec if the report has several, and the argument."""
    finding = entry.finding
    name = "" if finding.name is None else f" {code(shorten(finding.name, _LONGEST))}"
    op = [] if finding.op is None else [f"{code(shorten(finding.op, _LONGEST))}{_in(entry)}"]
    return op if op and finding.kind == "op" else [*op, f"{finding.kind}{name}"]


def _in(entry: Entry) -> str:
    return "" if entry.spec is None else f" in {code(shorten(entry.spec, _LONGEST))}"


def _names(finding: Finding) -> tuple[str | None, ...]:
    return finding.op, finding.name, finding.new_name


def _waive(row: list[Entry]) -> str:
    fingerprints = " ".join(entry.finding.fingerprint for entry in row)
    return f"opspec-lint waive {fingerprints} --owner WHO --reason WHY"


def _needing(count: int) -> str:
    return f"{count} need{'s' if count == 1 else ''}"


def _title(group: str, count: int) -> str:
    if group == "newly waived":
        return f"{count} waived by {'a new waiver' if count == 1 else 'new waivers'} of this change"
    return f"{count} {group}" if group in ("approved", "waived") else plural(count, group)


def _detail(detail: Detail, names: tuple[str | None, ...]) -> str:
    """Return a detail as Markdown; a declaration stands as code."""
    if detail.label not in SIDES:
        return with_code(detail.line, names)
    return f"{detail.label}: {code(detail.line.removeprefix(f'{detail.label}: '))}"


def _fixes(report: Report) -> Iterator[str]:
    """Yield the patch that `--fix` applies, folded; nothing without fixes."""
    if not any(finding.fixes for finding in report.findings):
        return
    from opspec_lint.report.patch import patch, plan_of

    lines = [line.rstrip("\r") for line in patch(plan_of(report)).split("\n")[:-1]]
    if lines:
        title = "The patch of all safe fixes, which <code>opspec-lint check --fix</code> applies"
        yield from ("", "<details>", f"<summary>{title}</summary>", "", *fenced(lines, "diff"), "", "</details>")


REPORTER = Reporter(
    summary="Markdown, for a step summary on GitHub",
    render=render,
    render_within=render_within,
    wants_fixes=True,
)

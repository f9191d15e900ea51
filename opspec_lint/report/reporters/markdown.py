"""The reporter `markdown`: GitHub Markdown for a comment or the summary of a step.

1. A table of errors: the change, and what happens to models; a row unfolds to advice, fix, rule and waive command.
2. Unfolded: new waivers of this change. Folded: warnings, notes, approved and earlier waived findings.
3. If the limit of bytes is reached, the mildest findings are dropped and counted.

Texts of a spec are code spans or escaped: no markup, no HTML, no mention (`@name`), no issue link (`#1`).
"""

from __future__ import annotations

from opspec_lint.kit.text import plural, shorten
from opspec_lint.report import answers, release
from opspec_lint.report.details import SIDES
from opspec_lint.report.entries import counts, entries, ignored_count, unchanged_count
from opspec_lint.report.headline import awaits_approval, headline
from opspec_lint.report.links import line_link, rule_link
from opspec_lint.report.markup import Page, code, fenced, prose, with_code
from opspec_lint.report.ranking import GROUPS
from opspec_lint.report.reporter import Reporter
from opspec_lint.report.rows import brief, group_rows
from opspec_lint.report.versions import describe_least

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opspec_lint.fixes.fix import Fix
    from opspec_lint.report.details import Detail
    from opspec_lint.report.entries import Entry
    from opspec_lint.report.findings import Comparison, Finding, Report, Side


LIMIT = 1024 * 1024 - 1
"""Greatest size in bytes: GitHub drops a step summary of more than 1 MiB as a whole."""
_RESERVED = 512
"""Bytes of it for texts that are written even if findings are dropped: ends of folds, and the count of these."""

_OPEN = 20
"""Number of unfolded rows of errors."""
_LISTED = 20
"""Number of comparisons in the list, and of op names in a row."""
_LONGEST = 200
"""Greatest length of a file, a version or a name."""
_TEXT = 2000
"""Greatest length of a text."""
_FINGERPRINTS = 100
"""Number of fingerprints in a command."""
_DIFF_LINES = 60
"""Number of lines of a fix in a row; the patch of all fixes has the longer ones."""
_NAMES = 20_000
"""Bytes of a list of names: a comment on GitHub has room for three."""
_ELSEWHERE = "`--format html` and `json`"
_MARKS = {"fails": "❌", "unknown": "❔", "passes": "✅"}


def render(report: Report) -> str:
    """Return the report as Markdown of the size of a step summary."""
    return render_within(report, LIMIT)


def render_within(report: Report, limit: int) -> str:
    """Return the report as Markdown of at most `limit` bytes in UTF-8."""
    every = list(entries(report))
    small = list(_footer(report))
    page = Page(limit - _RESERVED - sum(len(line.encode()) + 1 for line in small))
    page.add([f"## {_headline(report)}"])
    writer = _Writer(report, page)
    left: list[Entry] = []
    for group in GROUPS:
        left += writer.group(group, [entry for entry in every if entry.group == group])
    if left:
        count_text = counts([entry.finding for entry in left])
        page.end(("", f"**Left out here, to save space: {count_text}. {_ELSEWHERE} have them all.**"))
    else:
        blocks = {"the patch of all safe fixes": list(_fixes(report)), "the comparisons": list(_comparisons(report))}
        missing = [name for name, block in blocks.items() if block and not page.add(block)]
        if missing:
            page.end(("", f"**Left out here, to save space: {' and '.join(missing)}. {_ELSEWHERE} have all of it.**"))
    page.end(small)
    return page.text()


def _headline(report: Report) -> str:
    """Return the heading: a mark and the verdict."""
    mark = _MARKS[answers.stamp(report)]
    outcomes = answers.outcomes(report)
    return f"{mark} {_audits_headline(report.comparisons, outcomes) if outcomes else headline(report)}"


def _audits_headline(audits: Sequence[Comparison], outcomes: Mapping[str, int]) -> str:
    """Return the verdict of a single audit, or the counts of several."""
    if len(audits) == 1:
        only = audits[0]
        return f"{code(shorten(only.base.file, _LONGEST))} {prose(only.verdict or '')}"
    return f"{plural(len(audits), 'audit')}: {answers.describe_verdicts(outcomes)}"


def _footer(report: Report) -> Iterator[str]:
    """Yield the last line, in small print: required release, comparison, base, unchanged files."""
    parts = []
    if report.findings or report.versions is not None:
        parts.append(_release(report))
    if len(report.comparisons) == 1:
        parts.append(_describe_comparison(report.comparisons[0]))
    elif report.comparisons:
        parts.append(plural(len(report.comparisons), "comparison"))
    if report.base is not None:
        parts.append(f"base {code(shorten(report.base, _LONGEST))}")
    if report.unchanged:
        parts.append(unchanged_count(report))
    if parts:
        yield from ("", f"<sub>{' · '.join(parts)}</sub>")


def _release(report: Report) -> str:
    """Return the release that the change requires, with its least version if the released one is known."""
    part, versions = release.verdict(report).part, report.versions
    least = "" if versions is None else f", {prose(shorten(describe_least(part, versions), _LONGEST))}"
    return f"asks for a {part} release{least}"


def _comparisons(report: Report) -> Iterator[str]:
    """Yield the folded list of comparisons with their counts; nothing for a single comparison."""
    every = report.comparisons
    if len(every) < 2:
        return
    yield from ("", "<details>", f"<summary>{plural(len(every), 'comparison')}</summary>", "")
    for comparison in every[:_LISTED]:
        yield f"- {_describe_comparison(comparison)}: {counts(comparison.findings) or 'no findings'}"
    if len(every) > _LISTED:
        yield f"- and {plural(len(every) - _LISTED, 'comparison')} more"
    yield from ("", "</details>")


def _describe_comparison(comparison: Comparison) -> str:
    """Return base, head, profile or loader, and the count of ignored findings."""
    sides = f"{_side(comparison.base)} → {_side(comparison.head)}"
    ignored = f", {ignored_count(comparison.ignored)}" if comparison.ignored else ""
    label = "profile" if comparison.verdict is None else "loader"
    return f"{sides}, {label} {code(shorten(comparison.profile, _LONGEST))}{ignored}"


def _side(side: Side) -> str:
    """Return framework, version and file of a spec."""
    version = side.provenance.version
    name = f"{side.of} {version}" if version else side.of
    file = f" ({code(shorten(side.file, _LONGEST))})" if side.file != f"{side.of}@{version}" else ""
    return f"{code(shorten(name, _LONGEST))}{file}"


class _Writer:
    """The writer of groups of findings to a page of limited size."""

    def __init__(self, report: Report, page: Page) -> None:
        self._report, self._page = report, page
        self._rules = {rule.id: rule for rule in report.rules}

    def group(self, group: str, entries: list[Entry]) -> list[Entry]:
        """Write the entries of a group, and return the entries that did not fit."""
        if group == "error":
            awaiting = [entry for entry in entries if awaits_approval(entry.finding)]
            rows = group_rows(entry for entry in entries if not awaits_approval(entry.finding))
            left = self._table(rows[:_OPEN], "")
            more = sum(map(len, rows[_OPEN:]))
            left += self._table(rows[_OPEN:], plural(more, "more error"))
            return left + self._list(awaiting, f"{_needs(len(awaiting))} only an approval", folded=False)
        if group == "warning":
            return self._table(group_rows(entries), plural(len(entries), "warning"))
        return self._list(entries, _title(group, len(entries)), folded=group != "newly waived")

    def _table(self, rows: list[list[Entry]], title: str) -> list[Entry]:
        """Write rows as a table, folded if it has a title, and return the entries that did not fit."""
        opening = ["", "<details>", f"<summary>{title}</summary>"] if title else []
        head = ["", "<table>", "<tr><th>Change</th><th>What happens to models</th></tr>"]
        return self._write_rows(
            rows, [*opening, *head], self._row, ["</table>", *(["", "</details>"] if title else [])]
        )

    def _list(self, entries: list[Entry], title: str, *, folded: bool) -> list[Entry]:
        """Write entries as a list under a title, and return the entries that did not fit."""
        opening = ["", "<details>", f"<summary>{title}</summary>", ""] if folded else ["", f"### {title}", ""]
        closing = ["", "</details>"] if folded else []
        return self._write_rows([[entry] for entry in entries], opening, self._item, closing)

    def _write_rows(
        self,
        rows: list[list[Entry]],
        opening: list[str],
        shown: Callable[[list[Entry]], Iterator[str]],
        closing: list[str],
    ) -> list[Entry]:
        """Write rows between two texts, and return the entries of rows that did not fit."""
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
        """Yield the lines of a row of the table, and of the folded row with what to do."""
        entry, *more = row
        finding = entry.finding
        change = "<br>".join(part for part in self._change(row) if part)
        # Between blank lines, as Markdown inside of a block of HTML is not rendered otherwise (CommonMark 4.6).
        yield f"<tr><td>\n\n{change}\n\n</td><td>\n\n{self._effect(row)}\n\n</td></tr>"
        yield from ('<tr><td colspan="2"><details><summary>What to do</summary>', "")
        yield f"- {self._instead(row)}"
        if not more:
            # The first two are written already: who breaks, and what to do (`judgement`).
            for detail in entry.details[2:]:
                yield f"- {_detail(detail, _names(finding))}"
        if finding.also:
            yield f"- also against {', '.join(code(shorten(base, _LONGEST)) for base in finding.also)}"
        for fix in finding.fixes[:1]:
            yield from _fix(fix)
        if len(row) > _LISTED:
            names = [member.finding.op if finding.kind == "op" else member.finding.name for member in row]
            yield f"- all of them: {_list_within(names, _NAMES)}"
        yield f"- rule {rule_link(self._report.documentation, finding.rule)}"
        yield f"- to accept {'them' if more else 'it'}: {_waive_command(row)}"
        yield from ("", "</details></td></tr>")

    def _place(self, entry: Entry) -> str:
        """Return the link to the line of an entry, "" without a line."""
        origin = entry.finding.head_origin
        if origin is None or origin.line is None:
            return ""
        place = entry.place
        there = self._report.lines_there.get((place.path, place.line), place.line)
        return line_link(self._report.address, place.replace(line=there))

    def _change(self, row: list[Entry]) -> list[str]:
        """Return the parts of the first cell: op, argument, change, place."""
        entry, finding = row[0], row[0].finding
        if len(row) > 1:
            facts = self._rules.get(finding.rule)
            return [*_family(row), prose(entry.message if facts is None else facts.title.rstrip("."))]
        short, subject = brief(finding), _subject(entry)
        if short is not None:
            old, new = ("none" if value is None else code(value) for value in (short.old, short.new))
            if not short.field:  # a rename: the old name is the last part of the subject
                return [*subject[:-1], f"{subject[-1]} → {new}", self._place(entry)]
            return [*subject, f"{prose(short.field)} {old} → {new}", self._place(entry)]
        is_named = finding.kind != "op" and finding.name is not None and f"'{finding.name}'" in finding.message
        return [*(subject[:-1] if is_named else subject), with_code(entry.message, _names(finding)), self._place(entry)]

    def _effect(self, row: list[Entry]) -> str:
        """Return the second cell: what happens to models; for several findings, the general text of the rule."""
        finding = row[0].finding
        facts = self._rules.get(finding.rule)
        if len(row) > 1 and facts is not None:
            return with_code(facts.why)
        return with_code(shorten(finding.breaks, _TEXT), _names(finding))

    def _instead(self, row: list[Entry]) -> str:
        """Return the advice; for several findings, the general text of the rule."""
        finding = row[0].finding
        facts = self._rules.get(finding.rule)
        if len(row) > 1 and facts is not None:
            return with_code(facts.instead)
        return with_code(shorten(finding.advice, _TEXT), _names(finding))

    def _item(self, row: list[Entry]) -> Iterator[str]:
        """Yield the line of an entry in a list."""
        entry = row[0]
        finding = entry.finding
        sentences = [
            with_code(entry.message, _names(finding)),
            *([] if entry.cleared is None else [prose(entry.cleared)]),
        ]
        if awaits_approval(finding):
            sentences += [prose(detail.line) for detail in entry.details if detail.label == "review"]
        place = self._place(entry)
        where = f", {place}" if place else ""
        yield f"- {', '.join(_subject(entry))}: {'; '.join(sentences)} ({code(finding.rule)}{where})"


def _family(row: list[Entry]) -> list[str]:
    """Return the ops of a row with several findings, or the op and its arguments."""
    first = row[0].finding
    if first.kind == "op":
        return [f"{len(row)} ops: {_list_names([entry.finding.op for entry in row])}{_spec_suffix(row[0])}"]
    names = _list_names([entry.finding.name for entry in row])
    return [f"{code(shorten(first.op or '', _LONGEST))}{_spec_suffix(row[0])}", f"{len(row)} {first.kind}s: {names}"]


def _list_names(names: list[str | None]) -> str:
    """Return names as code spans, the first ones with a count of the others."""
    shown = ", ".join(code(shorten(name or "", _LONGEST)) for name in names[:_LISTED])
    return f"{shown} and {len(names) - _LISTED} more" if len(names) > _LISTED else shown


def _subject(entry: Entry) -> list[str]:
    """Return the op, with its spec if the report has several, and the argument of an entry."""
    finding = entry.finding
    name = "" if finding.name is None else f" {code(shorten(finding.name, _LONGEST))}"
    op = [] if finding.op is None else [f"{code(shorten(finding.op, _LONGEST))}{_spec_suffix(entry)}"]
    return op if op and finding.kind == "op" else [*op, f"{finding.kind}{name}"]


def _spec_suffix(entry: Entry) -> str:
    """Return " in SPEC" if the report has several comparisons, else ""."""
    return "" if entry.spec is None else f" in {code(shorten(entry.spec, _LONGEST))}"


def _names(finding: Finding) -> tuple[str | None, ...]:
    """Return the names in the texts of a finding that become code spans."""
    return finding.op, finding.name, finding.new_name


def _list_within(names: list[str | None], room: int) -> str:
    """Return names as code spans, as many as fit into a number of bytes, with a count of the others."""
    shown: list[str] = []
    for name in names:
        span = code(shorten(name or "", _LONGEST))
        room -= len(span.encode())
        if room < 0:
            return f"{', '.join(shown)} and {len(names) - len(shown)} more"
        shown.append(span)
    return ", ".join(shown)


def _fix(fix: Fix) -> Iterator[str]:
    """Yield the description and the changed lines of a fix; of a long one, the description only."""
    from opspec_lint.fixes.unified import fix_diff

    lines = fix_diff(fix).splitlines()
    if len(lines) > _DIFF_LINES:
        yield f"- {with_code(fix.description)}: {len(lines)} lines, which `opspec-lint check --fix --diff` shows"
        return
    yield from ("", f"{with_code(fix.description)}:", "", *fenced(lines, "diff"), "")


def _waive_command(row: list[Entry]) -> str:
    """Return the command that waives the findings of a row; for a long row, the place of its fingerprints."""
    if len(row) > _FINGERPRINTS:
        command = "opspec-lint waive FINGERPRINT... --owner WHO --reason WHY"
        return f"{code(command)}; the JSON report has the {len(row)} fingerprints"
    fingerprints = " ".join(entry.finding.fingerprint for entry in row)
    return code(f"opspec-lint waive {fingerprints} --owner WHO --reason WHY")


def _needs(count: int) -> str:
    """Return "1 needs" or "2 need"."""
    return f"{count} need{'s' if count == 1 else ''}"


def _title(group: str, count: int) -> str:
    """Return the title of a group: "3 notes", "1 waived by a new waiver of this change"."""
    if group == "newly waived":
        return f"{count} waived by {'a new waiver' if count == 1 else 'new waivers'} of this change"
    return f"{count} {group}" if group in ("approved", "waived") else plural(count, group)


def _detail(detail: Detail, names: tuple[str | None, ...]) -> str:
    """Return a detail as Markdown; declarations are code spans."""
    if detail.label not in SIDES:
        return with_code(detail.line, names)
    return f"{detail.label}: {code(detail.line.removeprefix(f'{detail.label}: '))}"


def _fixes(report: Report) -> Iterator[str]:
    """Yield the folded patch that `--fix` applies; nothing without fixes."""
    if not any(finding.fixes for finding in report.findings):
        return
    from opspec_lint.report.patch import patch, plan_fixes

    lines = [line.rstrip("\r") for line in patch(plan_fixes(report)).split("\n")[:-1]]
    if lines:
        title = "The patch of all safe fixes, which <code>opspec-lint check --fix</code> applies"
        yield from ("", "<details>", f"<summary>{title}</summary>", "", *fenced(lines, "diff"), "", "</details>")


REPORTER = Reporter(
    summary="Markdown, for a step summary on GitHub",
    render=render,
    render_within=render_within,
    wants_fixes=True,
)

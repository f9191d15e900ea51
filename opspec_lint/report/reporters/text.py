"""The reporter `text`, for people at a terminal: findings by op, the worst first, a summary and the next step."""

from __future__ import annotations

import os
from collections import Counter

from opspec_lint.kit.terminal import Terminal
from opspec_lint.kit.text import fit_width, one_line, plural, wrap
from opspec_lint.report.findings import CONSEQUENCES, LEVELS
from opspec_lint.report.ranking import group_of, report_order, sections
from opspec_lint.report.reporter import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from opspec_lint.report.findings import Comparison, Finding, Report, Side
    from opspec_lint.report.versions import Versions
    from opspec_lint.spec.model import Origin


_WIDTH = 110
_NARROWEST = 40
_DETAILED = 20
"""Greatest number of errors and warnings with details; for more, details are printed once per rule."""
_LISTED = {"note": 20, "approved": 20, "newly waived": 20, "waived": 5}
"""Greatest number of findings of a group that are listed; more are counted.

A baseline waives hundreds of findings, which nobody wants to read again with every later change.
"""
_SCREEN = 20
"""Lines that a small terminal shows; the summary at the end of a longer report is on another screen."""
_WORST = 3
"""Number of findings before a report that is longer."""
_NESTED_LINES = 10
_FLAT = 8
"""Greatest length of a list of plain values that is printed as a whole, and not path by path."""
_LEGEND = (
    "words: a break stops a model, or changes what it computes: backward, one that was saved before, on the new "
    "framework; forward, a new one on the old framework; a relaxation breaks forward only. dispensable: models may "
    "omit the argument. extra: the argument is cut when a model is saved. Shown once; --no-legend leaves it out."
)
_LABEL = {"proof:": 8}
"""Widths of labels of details that are wider than 7 characters."""
_UNLISTED_NAMES = {
    "notes": ("note",),
    "approved findings": ("approved",),
    "waived findings": ("newly waived", "waived"),
}
"""The plural names of groups that are not listed."""
_COLORS = {
    # Of the 256 colours, as the terminal's own yellow and cyan cannot be read on white, nor faint text on either. The
    # luminance is near that which has a contrast of 4.5 to black and to white (WCAG 2).
    "error": "1;38;5;161",
    "warning": "1;38;5;130",
    "note": "38;5;30",
    "clean": "1;38;5;28",
    "op": "1",
    "dim": "38;5;243",
}


def render(report: Report) -> str:
    """Return the report as text."""
    return render_on(report, Terminal())


def render_on(report: Report, terminal: Terminal) -> str:
    """Return the report as text for a terminal: in its width, with its colors and links."""
    page = _Page(report, terminal)
    lines: Iterable[str] = page.lines()
    if terminal.width is not None:
        width = max(terminal.width, _NARROWEST)
        lines = list(lines)
        if len(lines) > _SCREEN:
            lines = [*page.opening(), *lines]
        lines = (part for line in lines for part in fit_width(line, width))
    return "\n".join([*lines, ""])


class _Page:
    """The lines of a report for one terminal."""

    def __init__(self, report: Report, terminal: Terminal) -> None:
        self._report = report
        self._color = terminal.color
        self._width = terminal.width
        self._has_links, self._has_legend = terminal.has_links, terminal.has_legend
        self._all = report.findings
        self._counted = [finding for finding in self._all if finding.counts]
        self._clears = len(self._counted) < len(self._all)
        # With --op, the user has asked for some ops, and gets all of them.
        is_chosen = any(comparison.only is not None for comparison in report.comparisons)
        weighty = sum(finding.level != "note" for finding in self._counted)
        self._detailed = is_chosen or weighty <= _DETAILED
        self._unlisted = set() if is_chosen else _unlisted_groups(self._all, len(self._counted))

    def opening(self) -> Iterator[str]:
        """Yield the verdict and the worst findings, for the first screen of a long report."""
        from opspec_lint.report.headline import headline
        from opspec_lint.report.ranking import first_breaks

        yield self._paint("error" if self._report.failed else "op", headline(self._report))
        for first_break in first_breaks(self._all, _WORST):
            finding = first_break.finding
            ops = first_break.ops or (finding.op or "",)
            more = first_break.more + 1 - len(ops)
            others = f" and {plural(more, 'more op')}" if more else ""
            subject = f"{', '.join(ops)}{others}: " if finding.op is not None else ""
            text = one_line(f"{subject}{finding.message}  [{finding.rule}]")
            first, *rest = self._wrapped(text, indent="            ")
            yield f"  {self._level(finding)} {first.lstrip()}"
            yield from rest
        yield ""

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report: base, sections, rules, unchanged files, summary, release, legend."""
        report = self._report
        if not self._is_idle() and report.base is not None:
            yield from (self._paint("dim", f"base: {one_line(report.base)}"), "")
        for section in sections(report):
            yield from self._findings(report.general) if section is None else self._comparison(section)
        if not self._detailed:
            yield from self._rules()
        if not self._is_idle() and report.unchanged:
            from opspec_lint.report.entries import unchanged_count

            yield self._paint("dim", unchanged_count(report))
        yield from self._summary()
        if report.versions is not None:
            yield self._release(report.versions)
        if self._has_legend:
            yield ""
            yield from (self._paint("dim", line) for line in self._wrapped(_LEGEND, indent=""))

    def _is_idle(self) -> bool:
        """Return whether nothing was compared, so that one line suffices."""
        return not self._all and not self._report.comparisons

    def _release(self, versions: Versions) -> str:
        """Return the line with the release that the report requires."""
        from opspec_lint.report import release
        from opspec_lint.report.versions import describe_least

        verdict = release.verdict(self._report)
        return f"release: {verdict.part}, {describe_least(verdict.part, versions)}: {verdict.reason}"

    def _comparison(self, comparison: Comparison) -> Iterator[str]:
        """Yield the heading of a comparison and its findings."""
        base, head, findings = comparison.base, comparison.head, comparison.findings
        is_alone = base is head
        before = "" if is_alone else f"{self._paint('op', _title(base))} -> "
        yield f"{before}{self._paint('op', _title(head))}"
        file = "" if is_alone else f"{_file(base)} -> "
        lines = list(self._findings(findings))
        rest = "" if lines or len(self._report.comparisons) == 1 else f": {_counts(findings)}"
        yield self._paint("dim", f"{file}{self._file(head)}, profile {one_line(comparison.profile)}{rest}")
        if comparison.ignored:
            from opspec_lint.report.entries import ignored_count

            yield self._paint("dim", ignored_count(comparison.ignored))
        yield ""
        yield from lines

    def _findings(self, candidates: tuple[Finding, ...]) -> Iterator[str]:
        """Yield the lines of findings by op, the op with the worst finding first."""
        by_op: dict[str | None, list[Finding]] = {}
        for finding in candidates:
            if group_of(finding) not in self._unlisted:
                by_op.setdefault(finding.op, []).append(finding)
        for findings in by_op.values():
            findings.sort(key=report_order)
        folded = self._fold(by_op)
        alone = by_op.keys() - {op for ops in folded for op in ops}
        blocks = [*folded, *([op] for op in by_op if op in alone)]
        for ops in sorted(blocks, key=lambda ops: min(report_order(by_op[op][0]) for op in ops)):
            yield from self._folded_lines(ops, by_op) if len(ops) > 1 else self._op(ops[0], by_op[ops[0]])
            yield ""

    def _folded_lines(self, ops: list[str | None], by_op: dict[str | None, list[Finding]]) -> Iterator[str]:
        """Yield the lines of several ops with the same findings."""
        for finding in by_op[ops[0]]:
            yield f"{self._level(finding)} {self._paint('op', plural(len(ops), 'op'))}  {self._tag(finding)}"
        named = ", ".join(f"{one_line(op or '')}{_usage_suffix(by_op[op][0])}" for op in ops)
        yield from self._wrapped(named, indent="          ")
        known = by_op[ops[0]][0].usage
        if known is not None:
            yield f"          in brackets: how many of {plural(known.of, 'known model')} use the op; else none"

    def _op(self, op: str | None, findings: list[Finding]) -> Iterator[str]:
        """Yield the lines of one op, or of findings that concern no op."""
        if op is not None:
            yield self._paint("op", one_line(op))
        for finding in findings:
            yield from self._finding(finding)

    def _fold(self, by_op: dict[str | None, list[Finding]]) -> list[list[str | None]]:
        """Return groups of ops with the same rules and no further text, which are printed in one block."""
        ops: dict[tuple[str, ...], list[str | None]] = {}
        for op, findings in by_op.items():
            if op is not None and not self._detailed and all(map(_has_no_further_text, findings)):
                ops.setdefault(tuple(finding.rule for finding in findings), []).append(op)
        return [names for names in ops.values() if len(names) > 1]

    def _finding(self, finding: Finding) -> Iterator[str]:
        """Yield the lines of a finding: message, values, bases, evidence, places, waiver, advice."""
        from opspec_lint.report.details import describe_review, describe_waiver, evidence

        team = f"  {describe_review(finding)}" if finding.review else ""
        yield from self._head(finding, one_line(finding.message + team))
        # The message states which allowed values were lost and gained.
        if finding.field not in (None, "allowed_values"):
            for path in _nested(finding.old, finding.new):
                yield f"            {path}"
        if finding.also:
            yield from self._wrapped(one_line(f"also against {', '.join(finding.also)}"), indent="            ")
        for detail in evidence(finding):
            if detail.label in ("since", "used by"):
                yield from self._wrapped(f"{detail.label} {detail.text}", indent="            ")
        for side, origin in (("base", finding.base_origin), ("head", _head_declaration(finding))):
            if origin is not None:
                yield self._paint("dim", f"            {side} {self._place(origin)}")
        if finding.waived is not None:
            yield from self._wrapped(describe_waiver(finding.waived), indent="            ")
        elif self._detailed and finding.level == "note" and finding.counts:
            yield from self._breaks(finding)
        elif finding.counts:
            if self._detailed:
                yield from self._advice(finding, indent="            ")
            if self._report.base is not None and finding.level == "error" and finding.kind != "waiver":
                yield self._paint("dim", f"            fingerprint: {finding.fingerprint}")

    def _breaks(self, finding: Finding) -> Iterator[str]:
        """Yield who breaks and how, for a note that is a break; a note needs no advice."""
        if finding.directions:
            yield from self._wrapped(one_line(f"breaks: {finding.breaks}"), indent="            ")

    def _head(self, finding: Finding, message: str) -> Iterator[str]:
        """Yield the message of a finding and its rule: on one line, or wrapped for a narrow terminal."""
        line = f"  {self._level(finding)} {message}  {self._tag(finding)}"
        plain = 12 + len(message) + 2 + len(_tag(finding))  # without the codes of colors; 12 for margin and level
        if self._width is None or plain <= self._width:
            yield line
            return
        first, *more = self._wrapped(message, indent="            ")
        yield f"  {self._level(finding)} {first.lstrip()}"
        yield from more
        yield f"            {self._tag(finding)}"

    def _wrapped(self, text: str, *, indent: str) -> Iterator[str]:
        """Yield a text as wrapped lines; `one_line` escapes lines that a CI runner would take for a command."""
        width = _WIDTH if self._width is None else max(min(self._width, _WIDTH), _NARROWEST)
        return map(one_line, wrap(text, width=width, indent=indent))

    def _file(self, side: Side) -> str:
        """Return the file of a side, relative to the current folder, and its number of ops."""
        return _file(side.replace(file=self._from_here(side.file)))

    def _place(self, origin: Origin) -> str:
        """Return `file:line:column`, relative to the current folder."""
        position = ":".join(str(part) for part in (origin.line, origin.column) if part is not None)
        file = self._from_here(origin.file)
        return one_line(f"{file}:{position}" if position else file)

    def _from_here(self, file: str) -> str:
        """Return the path of a file of the repository, relative to the current folder."""
        is_path = self._report.prefix and ":" not in file and not os.path.isabs(file)
        return os.path.relpath(file, self._report.prefix) if is_path else file

    def _rules(self) -> Iterator[str]:
        """Yield each rule of errors and warnings with its number of findings, and the details of the first one."""
        rules: dict[str, list[Finding]] = {}
        listed = (finding for finding in self._counted if finding.level != "note")
        for finding in sorted(listed, key=lambda finding: (-_badness(finding), finding.rule)):
            rules.setdefault(finding.rule, []).append(finding)
        if not rules:
            return
        yield self._paint("op", "What the rules say")
        for rule, findings in rules.items():
            count = plural(len(findings), "finding")
            yield f"  {self._level(findings[0])} {self._link_rule(rule, rule)}: {count}, for instance:"
            yield from self._advice(findings[0], indent="            ")
        yield ""

    def _advice(self, finding: Finding, *, indent: str) -> Iterator[str]:
        """Yield the details of the rule and the proof of a finding."""
        from opspec_lint.report.details import evidence, judgement

        proofs = (detail for detail in evidence(finding) if detail.label == "proof")
        for label, text in ((f"{detail.label}:", detail.text) for detail in (*judgement(finding), *proofs)):
            yield from self._wrapped(one_line(f"{label:<{_LABEL.get(label, 7)}} {text}"), indent=indent)

    def _summary(self) -> Iterator[str]:
        """Yield the counts of findings and the next step."""
        if not self._all:
            comparisons = self._report.comparisons
            # A spec that is validated alone is compared with itself, so nothing needs to be said of a comparison.
            is_alone = bool(comparisons) and all(comparison.base is comparison.head for comparison in comparisons)
            reason = "" if is_alone else f": {_no_findings_reason(self._report)}"
            yield self._paint("clean", f"no findings{reason}")
            return
        yield self._counts_line()
        unlisted = [name for name, groups in _UNLISTED_NAMES.items() if self._unlisted.intersection(groups)]
        if unlisted:
            named = " and ".join(unlisted)
            yield self._paint("dim", f"{named} are not listed; --op OP shows those of one op, --op '*' all")
        if any(finding.level == "error" for finding in self._counted):
            yield from self._next_steps()
        else:
            exception = f", except for findings that are {self._cleared()}" if self._clears else ""
            yield self._paint("clean", f"no errors under this profile{exception}")

    def _counts_line(self) -> str:
        """Return the number of findings of each level and of their ops, and how many are waived or approved."""
        levels = [finding.level for finding in self._counted]
        counts = [
            self._paint(level, plural(levels.count(level), level))
            for level in ("error", "warning", "note")
            if level in levels
        ]
        ops = {finding.op for finding in self._counted if finding.op is not None}
        where = f" in {plural(len(ops), 'op')}" if ops else ""
        parts = [", ".join(counts) + where] if counts else []
        if self._clears:
            from opspec_lint.report.entries import cleared_count

            parts.append(self._paint("dim", cleared_count(self._all)))
        return "; ".join(parts)

    def _next_steps(self) -> Iterator[str]:
        """Yield the commands that explain, fix or waive errors."""
        worst = max(self._counted, key=_badness)
        yield f"next: fix the errors; `opspec-lint explain {worst.rule}` explains the rule"
        if self._report.has_safe_fix:
            yield "      or `opspec-lint check --fix` writes what is safe to fix; with --diff it only shows that"
        if self._report.base is not None and worst.kind != "waiver":
            yield "      or waive it for a reason with `opspec-lint waive FINGERPRINT --owner WHO --reason WHY`"
            # So many breaks are those of some years, which a repository has when it adopts opspec-lint.
            if sum(finding.level == "error" for finding in self._counted) > _DETAILED:
                yield "      or, on the first day, waive them all with `opspec-lint waive --baseline --owner WHO`"

    def _cleared(self) -> str:
        """Return "waived", "approved" or both, for the findings that do not count."""
        report = self._report
        states = (("waived", report.waived), ("approved", report.approved))
        return " or ".join(state for state, findings in states if findings)

    def _level(self, finding: Finding) -> str:
        """Return the level of a finding, or that it is waived or approved, in color and padded."""
        if not finding.counts:
            return self._paint("dim", f"{'approved' if finding.waived is None else 'waived':<9}")
        return self._paint(finding.level, f"{finding.level:<9}")

    def _tag(self, finding: Finding) -> str:
        """Return the rule and the effect of a finding, in color and linked."""
        return self._link_rule(self._paint("dim", _tag(finding)), finding.rule)

    def _link_rule(self, text: str, rule: str) -> str:
        """Return a text in which the rule is a link to its page, on a terminal with links (OSC 8)."""
        if not self._has_links or self._report.documentation is None:
            return text
        from opspec_lint.report.links import rule_page

        page = rule_page(self._report.documentation, rule)
        return text.replace(rule, f"\x1b]8;;{page}\x1b\\{rule}\x1b]8;;\x1b\\", 1)

    def _paint(self, style: str, text: str) -> str:
        """Return a text in the color of a style, if the terminal has colors."""
        return f"\x1b[{_COLORS[style]}m{text}\x1b[0m" if self._color else text


def _title(side: Side) -> str:
    """Return the framework and the version, or else the file, of a side."""
    return one_line(f"{side.of} {side.provenance.version or side.file}")


def _file(side: Side) -> str:
    """Return the file of a side and its number of ops."""
    return f"{one_line(side.file)} ({plural(side.ops, 'op')})"


def _no_findings_reason(report: Report) -> str:
    """Return the reason why a report has no findings."""
    if not report.comparisons:
        return "no spec file has changed" + ("" if report.base is None else f" since {one_line(report.base)}")
    silenced = dict.fromkeys(comparison.profile for comparison in report.comparisons if comparison.is_silenced)
    if silenced:
        named = " and ".join(silenced)
        return f"head and base differ, but every rule that judges the differences is off (profile {named})"
    only = dict.fromkeys(op for comparison in report.comparisons for op in comparison.only or ())
    ignored = any(comparison.ignored for comparison in report.comparisons)
    whom = "every other op" if ignored else "every op"
    if only:
        whom = one_line(", ".join(only))
    return f"head and base declare {whom} alike"


def _tag(finding: Finding) -> str:
    """Return the rule and the effect: "[attr_removed: break, backward, value lost]"."""
    broken = "+".join(finding.directions)
    how = "no break"
    if broken:
        how = f"relaxation, {broken}" if finding.is_relaxation else f"break, {broken}"
    what = f", {CONSEQUENCES[finding.consequence]}" if finding.consequence else ""
    return f"[{finding.rule}: {how}{what}]"


def _badness(finding: Finding) -> int:
    """Return the severity of a finding; waived and approved findings are below notes."""
    return 0 if not finding.counts else LEVELS.index(finding.level)


def _head_declaration(finding: Finding) -> Origin | None:
    """Return the place of the declaration in head; None for an op that head lacks.

    For code hosts, which want a line of head for every finding, it has the line of another op.
    """
    if finding.head_origin is None or not finding.concerns_whole_op:
        return finding.head_origin
    from opspec_lint.spec.event import events

    return None if events()[finding.event].is_removal else finding.head_origin


def _unlisted_groups(findings: Sequence[Finding], counted: int) -> set[str]:
    """Return the groups of findings that a report counts and does not list; `counted`: number of those that count."""
    sizes = Counter(map(group_of, findings))
    # Notes among errors share the limit of all: a reader of a long report looks for what fails.
    sizes["note"] = counted if sizes["note"] else 0
    return {group for group, limit in _LISTED.items() if sizes[group] > limit}


def _counts(findings: Sequence[Finding]) -> str:
    """Return the counts of a comparison without listed findings: "406 notes, 203 waived"."""
    from opspec_lint.report.entries import counts

    return counts(findings) or "no findings"


def _usage_suffix(finding: Finding) -> str:
    """Return the number of known models that use the op, as " (1,234)"; "" if none or unknown."""
    return f" ({finding.usage.models:,})" if finding.usage is not None and finding.usage.models else ""


def _has_no_further_text(finding: Finding) -> bool:
    """Return whether a finding has no text beyond its rule and its op."""
    return finding.concerns_whole_op and finding.counts


def _nested(old: Any, new: Any) -> Iterator[str]:
    """Yield the differences of a nested value, path by path; nothing for a flat value, which the message shows."""
    if type(old) is not type(new) or not (_is_nested(old) or _is_nested(new)):
        return
    from opspec_lint.report.nested import paths

    changed = paths(old, new)
    for path in changed[:_NESTED_LINES]:
        yield one_line(path)
    if len(changed) > _NESTED_LINES:
        yield f"and {len(changed) - _NESTED_LINES} more"


def _is_nested(value: Any) -> bool:
    """Return whether a value is an object, a list with lists or objects, or a long list."""
    if isinstance(value, dict):
        return value.keys() != {"float"}  # NaN or an infinity (`spec/values.py`)
    return isinstance(value, list) and (len(value) > _FLAT or any(isinstance(item, (list, dict)) for item in value))


REPORTER = Reporter(summary="for people, at a terminal", render=render, render_on=render_on, wants_error_lines=True)

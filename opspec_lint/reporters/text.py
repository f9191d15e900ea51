"""For a person at a terminal: grouped by op, the worst first, then a summary and the next step."""

from __future__ import annotations

from opspec_lint.findings import LEVELS
from opspec_lint.plain import one_line, plural, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.findings import Finding, Report, Side
    from opspec_lint.model import Origin

SUMMARY = "for a person at a terminal"

_WIDTH = 110
_DETAILED = 20
"""Up to so many findings each one says at its place whom it breaks and what to do; more get a table of rules."""
_NESTED_LINES = 10
_FLAT = 8
"""Items; a list of no more plain values is read faster whole than path by path."""
_COLORS = {"error": "31;1", "warning": "33;1", "note": "36", "op": "1", "dim": "2", "clean": "32;1"}


def render(report: Report, *, color: bool = False) -> str:
    """Return the report as text, with ANSI colours where `color` is set."""
    return "\n".join([*_Page(report, color=color).lines(), ""])


class _Page:
    def __init__(self, report: Report, *, color: bool) -> None:
        self._report = report
        self._color = color
        self._detailed = len(report.findings) <= _DETAILED
        self._shown = [each for each in report.findings if self._detailed or each.level != "note"]

    def lines(self) -> Iterator[str]:
        report = self._report
        yield f"{self._paint('op', _title(report.base))} -> {self._paint('op', _title(report.head))}"
        yield self._paint("dim", f"{_file(report.base)} -> {_file(report.head)}, profile {one_line(report.profile)}")
        yield ""
        yield from self._findings()
        if self._shown and not self._detailed:
            yield from self._rules()
        yield from self._summary()

    def _findings(self) -> Iterator[str]:
        by_op: dict[str | None, list[Finding]] = {}
        for finding in self._shown:
            by_op.setdefault(finding.op, []).append(finding)
        for ops in self._fold(by_op):
            for each in by_op[ops[0]]:
                yield f"{self._level(each)} {self._paint('op', plural(len(ops), 'op'))}  {self._tag(each)}"
            yield from wrap(", ".join(one_line(op or "") for op in ops), width=_WIDTH, indent="          ")
            yield ""
            for op in ops:
                del by_op[op]
        for op, findings in sorted(by_op.items(), key=_worst_first):
            if op is not None:
                yield self._paint("op", one_line(op))
            for finding in findings:
                yield from self._finding(finding)
            yield ""

    def _fold(self, by_op: dict[str | None, list[Finding]]) -> list[list[str | None]]:
        """Return the ops of which nothing but one and the same thing is to be said, together."""
        ops: dict[tuple[str, ...], list[str | None]] = {}
        for op, findings in by_op.items():
            if op is not None and not self._detailed and all(map(_is_bare, findings)):
                ops.setdefault(tuple(finding.rule for finding in findings), []).append(op)
        return [names for names in ops.values() if len(names) > 1]

    def _finding(self, finding: Finding) -> Iterator[str]:
        team = f"  needs {finding.review} to approve" if finding.review else ""
        yield f"  {self._level(finding)} {one_line(finding.message + team)}  {self._tag(finding)}"
        for path in _nested(finding.old, finding.new) if finding.field not in (None, "allowed_values") else ():
            yield f"            {path}"
        for side, origin in (("base", finding.base_origin), ("head", finding.head_origin)):
            if origin is not None:
                yield self._paint("dim", f"            {side} {_place(origin)}")
        if self._detailed and finding.level != "note":
            yield from self._advice(finding, indent="            ")

    def _rules(self) -> Iterator[str]:
        yield self._paint("op", "What the rules say")
        rules: dict[str, list[Finding]] = {}
        for finding in sorted(self._shown, key=lambda finding: (-_badness(finding), finding.rule)):
            rules.setdefault(finding.rule, []).append(finding)
        for rule, findings in rules.items():
            yield f"  {self._level(findings[0])} {rule}: {plural(len(findings), 'finding')}, for instance:"
            yield from self._advice(findings[0], indent="            ")
        yield ""

    def _advice(self, finding: Finding, *, indent: str) -> Iterator[str]:
        label = "breaks: " if finding.directions else "effect: "
        yield from wrap(one_line(label + finding.breaks), width=_WIDTH, indent=indent)
        yield from wrap(one_line(f"instead: {finding.advice}"), width=_WIDTH, indent=indent)

    def _summary(self) -> Iterator[str]:
        report = self._report
        if not report.findings:
            whom = "every op" if report.only is None else one_line(", ".join(report.only))
            yield self._paint("clean", f"no findings: head says of {whom} what base says")
            return
        counts = [
            self._paint(level, plural(report.count(level), level))
            for level in ("error", "warning", "note")
            if report.count(level)
        ]
        ops = len({finding.op for finding in report.findings if finding.op is not None})
        yield f"{', '.join(counts)} in {plural(ops, 'op')}"
        if len(self._shown) < len(report.findings):
            yield self._paint("dim", "notes are not listed here; --op OP shows those of one op, --format json all")
        if report.failed:
            worst = max(report.findings, key=_badness)
            yield f"next: mend what is an error, or see why it is one with `opspec-lint explain {worst.rule}`"
        else:
            yield self._paint("clean", "nothing that breaks the profile's rules")

    def _level(self, finding: Finding) -> str:
        return self._paint(finding.level, f"{finding.level:<9}")

    def _tag(self, finding: Finding) -> str:
        broken = "+".join(finding.directions)
        how = "no break" if not broken else f"relaxation, {broken}" if finding.is_relaxation else f"break, {broken}"
        return self._paint("dim", f"[{finding.rule}: {how}]")

    def _paint(self, style: str, text: str) -> str:
        return f"\x1b[{_COLORS[style]}m{text}\x1b[0m" if self._color else text


def _title(side: Side) -> str:
    provenance = side.provenance
    return one_line(f"{provenance.framework} {provenance.version or side.file}")


def _file(side: Side) -> str:
    return f"{one_line(side.file)} ({plural(side.ops, 'op')})"


def _worst_first(item: tuple[str | None, list[Finding]]) -> tuple[bool, int, str]:
    op, findings = item
    return op is not None, -_badness(findings[0]), op or ""


def _badness(finding: Finding) -> int:
    return LEVELS.index(finding.level)


def _is_bare(finding: Finding) -> bool:
    """Tell whether a finding says no more of an op than its rule does."""
    return finding.kind == "op" and finding.old is None and finding.new is None


def _place(origin: Origin) -> str:
    position = ":".join(str(part) for part in (origin.line, origin.column) if part is not None)
    return one_line(f"{origin.file}:{position}" if position else origin.file)


def _nested(old: Any, new: Any) -> Iterator[str]:
    """Yield how a nested value changed, path by path; a flat one is clear from the message."""
    if type(old) is not type(new) or not (_is_nested(old) or _is_nested(new)):
        return
    from opspec_lint.nested import paths

    changed = paths(old, new)
    for path in changed[:_NESTED_LINES]:
        yield one_line(path)
    if len(changed) > _NESTED_LINES:
        yield f"and {len(changed) - _NESTED_LINES} more"


def _is_nested(value: Any) -> bool:
    if isinstance(value, dict):
        return value.keys() != {"float"}
    return isinstance(value, list) and (len(value) > _FLAT or any(isinstance(item, (list, dict)) for item in value))

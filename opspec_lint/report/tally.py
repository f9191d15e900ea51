"""The bar chart of affected ops by rule and level: its numbers and its geometry."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.report.findings import Finding

PARTS = ("error", "warning", "note", "approved", "waived")
"""The segments of a bar from left to right, the worst first."""

_LEAST = 2.0
"""Least width of a segment, so that a single op among thousands is visible."""


class Part(Record):
    """A segment of a bar: name, number of ops, position and width."""

    name: str
    ops: int
    x: float
    width: float


class Bar(Record):
    """The ops of one rule, or of all rules; an op counts once, in the segment of its worst finding."""

    label: str
    ops: int
    parts: tuple[Part, ...]


class Picture(Record):
    """A bar of full width for all ops, and a bar for each rule, all with one scale.

    Bars are ordered by their worst segment, then by length.
    """

    total: Bar
    rules: tuple[Bar, ...]


def draw(findings: Iterable[Finding], *, width: float, rule_width: float) -> Picture:
    """Return the chart of findings that concern an op.

    `width` is the width of the bar for all ops, `rule_width` of the longest bar of a rule, in any unit.
    """
    worst: dict[str, int] = {}
    by_rule: dict[str, dict[str, int]] = {}
    for finding in findings:
        if finding.op is not None:
            part = PARTS.index((finding.cleared or finding.level).removeprefix("newly "))
            for ops in (worst, by_rule.setdefault(finding.rule, {})):
                ops[finding.op] = min(part, ops.get(finding.op, part))
    longest = max((len(ops) for ops in by_rule.values()), default=0)
    ranked = sorted(by_rule.items(), key=lambda item: (min(item[1].values()), -len(item[1]), item[0]))
    return Picture(
        total=_bar("", list(worst.values()), width),
        rules=tuple(_bar(rule, list(ops.values()), rule_width * len(ops) / longest) for rule, ops in ranked),
    )


def _bar(label: str, parts: Sequence[int], width: float) -> Bar:
    """Return a bar with segments in proportion to their counts, none narrower than `_LEAST`."""
    counts = [(name, parts.count(index)) for index, name in enumerate(PARTS) if index in parts]
    widths = [max(_LEAST, width * count / len(parts)) for _, count in counts]
    # Segments that were widened to `_LEAST` would exceed the bar: all of them shrink in proportion.
    shrink = max(width, _LEAST * len(counts)) / sum(widths) if widths else 1.0
    drawn, x = [], 0.0
    for (name, count), bar_width in zip(counts, widths, strict=True):
        drawn.append(Part(name=name, ops=count, x=round(x, 2), width=round(bar_width * shrink, 2)))
        x += bar_width * shrink
    return Bar(label=label, ops=len(parts), parts=tuple(drawn))

"""How many ops are affected, by rule and by level: the numbers and the geometry of a picture."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.report.findings import Finding

PARTS = ("error", "warning", "note", "approved", "waived")
"""Of a bar, from left to right, the worst first."""

_LEAST = 2.0
"""Of the width of a bar, in its own unit: a single op among thousands is still seen."""


class Part(Record):
    """A stretch of a bar: how many ops it stands for, and where it is."""

    name: str
    ops: int
    x: float
    width: float


class Bar(Record):
    """The ops of one rule, or of all: each op counts once, in the worst part that it has."""

    label: str
    ops: int
    parts: tuple[Part, ...]


class Picture(Record):
    """A bar for all ops, as wide as there is room; and a bar for each rule, to a scale that they share.

    The bars are in the order of the worst that they hold, then of their lengths.
    """

    total: Bar
    rules: tuple[Bar, ...]


def draw(findings: Iterable[Finding], *, width: float, rule_width: float) -> Picture:
    """Return the picture of some findings; what is about no op is not in it.

    `width` is that of the bar of all ops, `rule_width` that of the longest bar of a rule, in any unit.
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
    """Return a bar whose stretches share its width as the counts do, but none is too narrow to be seen."""
    counts = [(name, parts.count(index)) for index, name in enumerate(PARTS) if index in parts]
    wanted = [max(_LEAST, width * count / len(parts)) for _, count in counts]
    shrink = max(width, _LEAST * len(counts)) / sum(wanted) if wanted else 1.0
    drawn, x = [], 0.0
    for (name, count), each in zip(counts, wanted, strict=True):
        drawn.append(Part(name=name, ops=count, x=round(x, 2), width=round(each * shrink, 2)))
        x += each * shrink
    return Bar(label=label, ops=len(parts), parts=tuple(drawn))

"""Which breaks a reviewer looks at first: those of models that exist.

What a loader confirmed comes first, then an op that more known models use, where their use is known. Then, by kind: an
op that saved models use comes before one of the backward pass or an internal one, what is refused or read differently
before what the loaders ignore, a break in both directions before one in a single direction, and a change of an op
before the removal of a whole one.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.report.findings import Comparison, Finding, Report

GROUPS = ("error", "warning", "newly waived", "approved", "note", "waived")
"""The groups of findings, in their order. New waivers come before notes, since somebody has to approve them."""
_BACKWARD = ("_grad", "_grad_grad", "_double_grad", "_triple_grad", "Grad", "GradV2", "GradV3")
"""How the ops of the backward pass end; a model that is saved to be run has none of them."""
_NAMED = 3
"""Ops that a line of several names."""


class FirstBreak(Record):
    """A line of what to look at first: the first error of a rule, and in how many more ops the rule has errors.

    `ops` are some of the ops, the first of them first, if they were removed and that is all that there is to say.
    """

    finding: Finding
    more: int
    ops: tuple[str, ...] = ()


def is_internal(op: str | None) -> bool:
    """Tell whether an op is of the backward pass, or private to its framework."""
    return op is not None and (op.endswith(_BACKWARD) or op.startswith("_"))


def group_of(finding: Finding) -> str:
    """Return the group of a finding: its level if it counts, else why it does not count."""
    return finding.cleared or finding.level


def place(finding: Finding) -> tuple[int, bool, bool, tuple[tuple[int, ...], str]]:
    """Return the place of a finding in every report; the least comes first.

    It is the order of the groups, then findings about no op, then breaks of models before relaxations, then by rank.
    """
    return GROUPS.index(group_of(finding)), finding.op is not None, finding.is_relaxation, rank(finding)


def sections(report: Report) -> list[Comparison | None]:
    """Return the comparisons of a report, and None for its general findings, by their first findings.

    Comparisons without findings are last, in the order of the report.
    """

    def first(section: Comparison | None) -> tuple[object, ...]:
        return min(map(place, report.general if section is None else section.findings), default=(len(GROUPS),))

    return sorted([*([None] if report.general else []), *report.comparisons], key=first)


def rank(finding: Finding) -> tuple[tuple[int, ...], str]:
    """Return the place of a finding among those of its level, and the name of its op; the least comes first."""
    used = 0 if finding.usage is None else -finding.usage.models
    is_confirmed = any(each.verdict == "confirmed" for each in finding.proofs)
    kind = (is_internal(finding.op), finding.is_ignored, len(finding.directions) < 2, finding.is_about_whole_op)
    return (not is_confirmed, used, *kind), finding.op or ""


def first_breaks(findings: Iterable[Finding], at_most: int) -> list[FirstBreak]:
    """Return the first error of each of the worst rules; removed ops are the last line, if they are not among these.

    What does not count is left out. The worst rules are those whose first error is ranked first.
    """
    found = ranked(finding for finding in findings if finding.level == "error" and finding.counts)
    whole = [each for each in found[at_most:] if each.ops][:1]
    return found[: at_most - len(whole)] + whole


def ranked(findings: Iterable[Finding]) -> list[FirstBreak]:
    """Return the first of some findings of each rule, the worst first."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in findings:
        by_rule.setdefault(finding.rule, []).append(finding)
    firsts = map(_first, by_rule.values())
    return sorted(firsts, key=lambda each: (rank(each.finding)[0], -each.more, each.finding.rule))


def _first(found: list[Finding]) -> FirstBreak:
    found = sorted(found, key=rank)
    ops = list(dict.fromkeys(each.op for each in found if each.op is not None))
    names = tuple(ops[:_NAMED]) if len(ops) > 1 and found[0].is_about_whole_op else ()
    return FirstBreak(finding=found[0], more=max(0, len(ops) - 1), ops=names)

"""The order of findings in reports: breaks of existing models first.

By group, then breaks before relaxations, then by these criteria:

1. Breaks that a loader confirmed come first.
2. Ops that more known models use come first, if usage is known.
3. Forward ops before ops of the backward pass and internal ops, which saved models rarely contain.
4. Models that are refused or read differently before parts of models that loaders ignore.
5. Breaks in both directions before breaks in one.
6. Changes of an op before removals of whole ops.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.report.findings import Comparison, Finding, Report

GROUPS = ("error", "warning", "newly waived", "approved", "note", "waived")
"""The groups of findings in report order. New waivers precede notes, since somebody has to review them."""
_BACKWARD = ("_grad", "_grad_grad", "_double_grad", "_triple_grad", "Grad", "GradV2", "GradV3")
"""Suffixes of ops of the backward pass; a model that is saved for inference has none."""
_MAX_NAMES = 3
"""Number of ops that a line for several ops names."""


class FirstBreak(Record):
    """The first error of a rule, with the number of `more` ops that have an error of the rule.

    `ops` are the names of the first ops, if the rule concerns whole ops; empty otherwise.
    """

    finding: Finding
    more: int
    ops: tuple[str, ...] = ()


def is_internal(op: str | None) -> bool:
    """Return whether an op belongs to the backward pass, or is private to its framework."""
    return op is not None and (op.endswith(_BACKWARD) or op.startswith("_"))


def group_of(finding: Finding) -> str:
    """Return the group of a finding: its level if it counts, else why it does not count."""
    return finding.cleared or finding.level


def report_order(finding: Finding) -> tuple[int, bool, bool, tuple[tuple[int, ...], str]]:
    """Return the sort key of a finding in every report: group, general findings first, breaks first, rank."""
    return GROUPS.index(group_of(finding)), finding.op is not None, finding.is_relaxation, rank(finding)


def sections(report: Report) -> list[Comparison | None]:
    """Return the comparisons of a report, and None for its general findings, ordered by their first findings.

    Comparisons without findings come last, in input order.
    """

    def first(section: Comparison | None) -> tuple[object, ...]:
        return min(map(report_order, report.general if section is None else section.findings), default=(len(GROUPS),))

    return sorted([*([None] if report.general else []), *report.comparisons], key=first)


def rank(finding: Finding) -> tuple[tuple[int, ...], str]:
    """Return the sort key of a finding within its level: the criteria of this module, then the name of the op."""
    # Negative, as the least key comes first; unknown usage ranks like none.
    used = 0 if finding.usage is None else -finding.usage.models
    is_confirmed = any(proof.verdict == "confirmed" for proof in finding.proofs)
    kind = (is_internal(finding.op), finding.is_ignored, len(finding.directions) < 2, finding.concerns_whole_op)
    return (not is_confirmed, used, *kind), finding.op or ""


def first_breaks(findings: Iterable[Finding], at_most: int) -> list[FirstBreak]:
    """Return the first errors of the `at_most` worst rules; the last one is a removal of ops, if there is any.

    They are in report order, so that a page and a terminal begin with the finding that all lists begin with. Waived and
    approved findings are left out.
    """
    errors = (finding for finding in findings if finding.level == "error" and finding.counts)
    ranked_breaks = sorted(ranked(errors), key=lambda first_break: report_order(first_break.finding))
    # Removals rank low, as most removed ops are unused; but a reader must not think that none was removed.
    whole = [first_break for first_break in ranked_breaks[at_most:] if first_break.ops][:1]
    return ranked_breaks[: at_most - len(whole)] + whole


def ranked(findings: Iterable[Finding]) -> list[FirstBreak]:
    """Return the first finding of each rule, ordered by rank."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in findings:
        by_rule.setdefault(finding.rule, []).append(finding)

    def order(first_break: FirstBreak) -> tuple[tuple[int, ...], int, str]:
        criteria, _ = rank(first_break.finding)
        return criteria, -first_break.more, first_break.finding.rule

    return sorted(map(_first, by_rule.values()), key=order)


def _first(findings: list[Finding]) -> FirstBreak:
    """Return the first of the findings of one rule, with the names of further ops."""
    findings = sorted(findings, key=rank)
    ops = list(dict.fromkeys(finding.op for finding in findings if finding.op is not None))
    names = tuple(ops[:_MAX_NAMES]) if len(ops) > 1 and findings[0].concerns_whole_op else ()
    return FirstBreak(finding=findings[0], more=max(0, len(ops) - 1), ops=names)

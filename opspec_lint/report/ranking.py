"""Which breaks a reviewer looks at first.

An op that more known models use comes first, where their use is known (`Finding.usage`). Then, an op that saved models
use comes before one of the backward pass or an internal one, a break in both directions before
one in a single direction, and a change of an op before the removal of a whole one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.report.findings import Finding

_BACKWARD = ("_grad", "_grad_grad", "_double_grad", "_triple_grad", "Grad", "GradV2", "GradV3")
"""How the ops of the backward pass end; a model that is saved to be run has none of them."""


def is_internal(op: str | None) -> bool:
    """Tell whether an op is of the backward pass, or private to its framework."""
    return op is not None and (op.endswith(_BACKWARD) or op.startswith("_"))


def rank(finding: Finding) -> tuple[int, bool, bool, bool, str]:
    """Return the place of a finding among those of its level; the least comes first."""
    used = 0 if finding.usage is None else -finding.usage.models
    is_whole = finding.kind == "op" and finding.field is None
    return used, is_internal(finding.op), len(finding.directions) < 2, is_whole, finding.op or ""


def first_breaks(findings: Iterable[Finding], at_most: int) -> list[tuple[Finding, int]]:
    """Return the first error of each of the worst rules, and how many more ops the rule has errors in.

    What does not count is left out. The worst rules are those whose first error is ranked first.
    """
    by_rule: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.level == "error" and finding.counts:
            by_rule.setdefault(finding.rule, []).append(finding)
    firsts = [(min(found, key=rank), len({each.op for each in found}) - 1) for found in by_rule.values()]
    firsts.sort(key=lambda each: (*rank(each[0])[:4], -each[1], each[0].rule))
    return firsts[:at_most]

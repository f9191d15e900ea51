"""Judges facts as a check does, for tests of what yields them."""

from __future__ import annotations

from opspec_lint.lint.judge import judge_in_order
from opspec_lint.lint.profile import NO_POLICY
from opspec_lint.lint.steps import Steps
from opspec_lint.lint.waivers import Waivers


def judge(facts, levels):
    """Return the findings for facts about what surrounds the specs."""
    return judge_in_order(facts, NO_POLICY.replace(levels=levels))


def apply(entries, findings, today):
    """Return the reason of each waived fingerprint, and the faults of the waivers."""
    waivers = Waivers(entries, today)
    marked = Steps(waived=waivers.waiver_step(findings)).apply_to(findings)
    waived = {finding.fingerprint: finding.waived for finding in marked if finding.waived is not None}
    return waived, list(waivers.faults())

"""Judges facts as a check does, for tests of what yields them."""

from __future__ import annotations

from opspec_lint.lint.judge import judge_in_turn
from opspec_lint.lint.profile import NO_POLICY
from opspec_lint.lint.steps import Steps
from opspec_lint.lint.waivers import Waivers


def judge(facts, levels):
    """The findings for facts about what surrounds the specs."""
    return judge_in_turn(facts, NO_POLICY.but(levels=levels))


def apply(entries, findings, today):
    """What is waived of all findings at once, and what is wrong with the waivers."""
    waivers = Waivers(entries, today)
    marked = Steps(waived=waivers.waiving(findings)).through(findings)
    waived = {each.fingerprint: each.waived for each in marked if each.waived is not None}
    return waived, list(waivers.faults())

"""The fixes of a report that are applied together."""

from __future__ import annotations

import pytest

from opspec_lint.fixes.fix import Fix
from opspec_lint.fixes.text_file import TextFile
from opspec_lint.report.patch import plan_fixes
from tests.support.nasty import finding, report

FILE = TextFile("a.cc", b"0123456789")


def reported(at, name, safety):
    fix = Fix(description=f"{at}", safety=safety, edits=(FILE.edit(at, at, "x"),))
    return finding(f"rule_{at}").replace(op="f", kind="input", name=name, level="error", fixes=(fix,))


@pytest.mark.parametrize(
    ("safeties", "left"), [(("unsafe", "unsafe"), ["2"]), (("safe", "unsafe"), []), (("safe", "safe"), [])]
)
def test_of_two_guesses_on_a_single_argument_the_first_is_applied(safeties, left):
    findings = [reported(1, "X", safeties[0]), reported(2, "X", safeties[1]), reported(3, "Y", "unsafe")]
    plan = plan_fixes(report("p", findings=findings), "unsafe")
    assert [item.description for item in plan.left] == left
    assert len(plan.taken) + len(plan.left) == 3


def test_a_fix_of_two_findings_is_applied_once_and_nothing_is_left():
    for safety in ("safe", "unsafe"):
        first, second = reported(1, "X", safety), reported(2, "X", safety)
        plan = plan_fixes(report("p", findings=[first, second.replace(fixes=first.fixes)]), "unsafe")
        assert (plan.taken, plan.left) == (first.fixes, ())

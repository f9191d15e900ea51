"""The fixes of a report that are applied together."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from opspec_lint.cli.fixing import diff
from opspec_lint.fixes.fix import Fix
from opspec_lint.fixes.text_file import TextFile
from opspec_lint.report.patch import plan_fixes, unsafe_count
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


def test_an_allowed_change_is_not_taken_back_by_a_guess_and_a_registration_is_written():
    allowed = reported(1, "X", "unsafe").replace(level="note")
    registration = reported(2, "Y", "unsafe").replace(level="note", kind="registration")
    item = report("p", findings=[allowed, registration, reported(3, "Z", "unsafe"), reported(4, "V", "safe")])
    assert [fix.description for fix in plan_fixes(item, "unsafe").taken] == ["2", "3", "4"]
    assert unsafe_count(item) == 2


def test_unsafe_fixes_are_named_where_only_safe_ones_are_shown():
    item = report("p", findings=[reported(1, "X", "unsafe"), reported(2, "Y", "unsafe")])
    text, remarks = diff(item, SimpleNamespace(fix=None))
    assert (text, remarks[0]) == ("", "0 findings fixed by this diff; no file is changed")
    assert remarks[-1].startswith(
        "2 findings have an unsafe fix, which guesses at an intent: `opspec-lint check --fix="
    )
    assert len(diff(item, SimpleNamespace(fix="unsafe"))[1]) == 1


def test_a_fix_of_two_findings_is_applied_once_and_nothing_is_left():
    for safety in ("safe", "unsafe"):
        first, second = reported(1, "X", safety), reported(2, "X", safety)
        plan = plan_fixes(report("p", findings=[first, second.replace(fixes=first.fixes)]), "unsafe")
        assert (plan.taken, plan.left) == (first.fixes, ())

from __future__ import annotations

import os

import pytest
from nasty import REPORTS, finding, report

from opspec_lint import files
from opspec_lint.check import check
from opspec_lint.notation import parse_spec
from opspec_lint.profile import load
from opspec_lint.reporters.text import render

SPECS = os.path.join(os.path.dirname(__file__), os.pardir, os.pardir, "specs")


@pytest.fixture(scope="module")
def releases():
    base, head = (files.read_spec(os.path.join(SPECS, f"paddle-{version}.json")) for version in ("2.6.2", "3.0.0"))
    return check(base, head)


def shown(base, head, profile="paddle", **options):
    return render(check(parse_spec(base), parse_spec(head), load(profile)), **options)


def test_a_real_pair_of_releases_is_readable(releases):
    text = render(releases)
    lines = text.splitlines()
    assert lines[0] == "paddle 2.6.2 -> paddle 3.0.0"
    assert "(784 ops)" in lines[1]
    assert "profile paddle" in lines[1]
    assert len(lines) < len(releases.findings)
    assert max(map(len, lines)) < 400
    assert releases.count("error") > 150
    for each in releases.findings:
        if each.level == "error":
            assert each.message in text or each.kind == "op"
            assert each.op in text
            assert each.rule in text
    assert f"{releases.count('error')} errors, " in text
    assert "opspec-lint explain" in lines[-1]


def test_ops_of_which_there_is_one_thing_to_say_are_told_together(releases):
    text = render(releases)
    removed = [each.op for each in releases.findings if each.rule == "op_removed"]
    assert len(removed) == 127
    assert text.count("op_removed: break, backward") == 1
    assert "127 ops" in text


def test_findings_stand_under_their_op_and_the_worst_come_first():
    base = "a(X?) -> ()\nb(X) -> () [c: INT = 1, d: INT = 2]\nz(X) -> ()"
    head = "a(X?, Y?) -> ()\nb(X?) -> () [c: INT = 1, d: INT = 3]\nz() -> ()"
    lines = shown(base, head, "strict").splitlines()
    assert [line for line in lines if line in "abz" and line] == ["a", "b", "z"]
    mixed = [
        finding("n", op="mild", level="warning"),
        finding("n", op="bad", name="2"),
        finding("n", op="note", level="note"),
    ]
    lines = render(report("p", findings=mixed)).splitlines()
    assert [line for line in lines if line in ("mild", "bad", "note")] == ["bad", "mild", "note"]


def test_a_few_findings_say_whom_they_break_and_what_to_do():
    text = shown("a(X) -> ()", "a() -> ()")
    assert "breaks: " in text
    assert "instead: " in text
    assert "1 error in 1 op" in text
    assert "explain input_removed" in text


def test_few_notes_are_listed_and_many_are_counted():
    few = render(report("p", findings=[finding(f"n{i}", op="o", level="note") for i in range(3)]))
    assert "n2" in few
    assert "3 notes" in few
    many = render(report("p", findings=[finding(f"n{i}", op="o", level="note") for i in range(100)]))
    assert "n2" not in many
    assert "100 notes" in many
    assert "--format json" in many


def test_nothing_to_say_is_said():
    assert "no findings" in shown("a() -> ()", "a() -> ()")


def test_a_clean_report_says_that_it_passes():
    text = shown("a() -> ()", "a() -> ()\nb() -> ()")
    assert "nothing that breaks the profile's rules" in text
    assert "explain" not in text


def test_a_nested_default_is_shown_path_by_path():
    old, new = '[[1, 2], [3, {"k": 4}], "same"]', '[[1, 5], [3, {"k": 6}], "same"]'
    text = shown(f"a() -> () [b: INTS = {old}]", f"a() -> () [b: INTS = {new}]")
    assert "[0][1]: 2 -> 5\n" in text
    assert "[1][1]['k']: 4 -> 6\n" in text
    assert "same" not in text.split("[0][1]: ")[1].partition("\n            ")[0]


def test_a_flat_default_is_clear_from_the_message():
    text = shown("a() -> () [b: INTS = [1]]", "a() -> () [b: INTS = [2]]")
    assert "from [1] to [2]" in text
    assert "[0]: 1 -> 2" not in text


def test_of_many_places_the_first_are_shown():
    old, new = list(range(40)), list(range(100, 140))
    text = shown(f"a() -> () [b: INTS = {old}]", f"a() -> () [b: INTS = {new}]")
    assert text.count(" -> 1") >= 10
    assert "and 30 more" in text


@pytest.mark.parametrize("report_", REPORTS.values(), ids=REPORTS)
def test_colour_only_where_it_is_asked_for(report_):
    assert "\x1b" not in render(report_)
    assert "\x1b[" in render(report_, color=True)


def test_where_lines_are_known_they_are_shown():
    text = render(REPORTS["all kinds, text 2"])
    assert "base 100 % %s %(op)s {op} {0} {{:1:2\n" in text
    assert "head 100 % %s %(op)s {op} {0} {{:1000000000\n" in text

from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.reporters.paddle import render
from opspec_lint.lint.check import check
from opspec_lint.lint.check import report as report_of
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import Report, Waived
from opspec_lint.spec.notation import parse_spec
from tests.support.nasty import comparison, every_report, finding, report

RULE = "-" * 30
HEAD = "Op desc error for the changes of Inputs/Outputs/Attrs of OPs:"


def block(base, head, profile="paddle"):
    """The lines that say what changed between two specs in notation."""
    text = render(report_of(check(parse_spec(base), parse_spec(head), PROFILES.load(profile))))
    if not text:
        return []
    first, second, third, *lines, last, end = text.split("\n")
    assert (first, second, third, last, end) == (RULE, HEAD, "", RULE, "")
    return lines


def test_the_example_of_the_wiki():
    base = "slice(Input, EndsTensor?, EndsTensorList?*) -> (Out) [starts: INTS = []]"
    head = "slice(Input, EndsTensor, Out_test_2) -> (Out) [starts: INTS = [1]]"
    header, *lines = block(base, head)
    assert header == "For OP 'slice':"
    assert sorted(lines) == [
        " * The Input 'EndsTensorList' is deleted.",
        " * The added Input 'Out_test_2' is not dispensable.",
        " * The arg 'default_value' of attr 'starts' is changed: from '[]' to '[1]'.",
        " * The arg 'dispensable' of Input 'EndsTensor' is changed: from 'True' to 'False'.",
    ]


@pytest.mark.parametrize(
    ("base", "head", "lines"),
    [
        ("a(X) -> ()", "a() -> (X)", ["The Input 'X' is deleted.", "The added Output 'X' is not dispensable."]),
        ("a() -> (X)", "a(X?) -> ()", ["The Output 'X' is deleted."]),
        (
            "a() -> () [b: INT = 1]",
            "a() -> () [b: LONG = 1]",
            ["The arg 'type' of attr 'b' is changed: from '0' to '9'."],
        ),
        (
            "a() -> () [b: INT]",
            "a() -> () [b: INT = 3]",
            ["The arg 'default_value' of attr 'b' is changed: from 'None' to '3'."],
        ),
        (
            'a() -> () [b: STRING = "x"]',
            'a() -> () [b: STRING = "y"]',
            ["The arg 'default_value' of attr 'b' is changed: from 'x' to 'y'."],
        ),
        (
            "a() -> () [b: FLOAT = 0.5]",
            "a() -> () [b: FLOAT = NaN]",
            ["The arg 'default_value' of attr 'b' is changed: from '0.5' to 'nan'."],
        ),
        (
            "a() -> () [b: FLOAT = -Infinity]",
            "a() -> () [b: FLOAT = 1e-05]",
            ["The arg 'default_value' of attr 'b' is changed: from '-inf' to '1e-05'."],
        ),
        (
            'a() -> () [b: STRINGS = ["x", "y"]]',
            "a() -> () [b: STRINGS = []]",
            ["The arg 'default_value' of attr 'b' is changed: from '['x', 'y']' to '[]'."],
        ),
        ("a(X*) -> ()", "a(X) -> ()", ["The arg 'duplicable' of Input 'X' is changed: from 'True' to 'False'."]),
        ("a() -> ()", "a() -> () [b: INT]", ["The added attr 'b' doesn't set default value."]),
        ("a() -> ()", "a() -> (X)", ["The added Output 'X' is not dispensable."]),
        ("a() -> () [b: INT = 1]", "a() -> ()", ["The attr 'b' is deleted."]),
        (
            "a() -> () [bias_name: INT]",
            "a() -> () [bias_names: INT]",
            ["The added attr 'bias_names' doesn't set default value.", "The attr 'bias_name' is deleted."],
        ),
    ],
)
def test_a_single_change(base, head, lines):
    assert block(base, head) == ["For OP 'a':", *(f" * {line}" for line in lines)]


def test_a_removed_op_has_a_line_of_its_own():
    assert block("a() -> ()\nb() -> ()", "b() -> ()") == ["For OP 'a':", " * The op 'a' was removed."]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ("a(X) -> ()", "a(X) -> ()"),
        ("a(X) -> ()", "a(X, Y?) -> ()\nb() -> ()"),
        ("a(X) -> () [b: INT = 1 {extra}]", "a(X) -> () [b: INT = 2 {extra}, c: INT {extra}]"),
    ],
)
def test_nothing_is_reported_where_nothing_breaks_the_rules(base, head):
    assert block(base, head) == []


def test_ops_come_in_order_and_once():
    lines = block("b(X, Y) -> ()\na(X) -> ()", "b() -> ()\na() -> ()")
    assert lines == [
        "For OP 'a':",
        " * The Input 'X' is deleted.",
        "For OP 'b':",
        " * The Input 'X' is deleted.",
        " * The Input 'Y' is deleted.",
    ]


def test_additions_that_want_a_review_name_the_team():
    base = "a() -> () @"
    head = "a(X?) -> () [b: INT = 1 {quant}, c: INT = 1 {extra}, d: INT = 1 {quant?}] @ +input X, +attr b, +attr d"
    assert block(base, head) == []
    assert sorted(block(base, head, "paddle-2021")) == [
        " * The added Input 'X' is `def`, need inference to review.",
        " * The added attr 'b' is `quant`, need slim to review.",
        " * The added attr 'd' is `def`, need inference to review.",
        "For OP 'a':",
    ]


def test_what_concerns_no_op_and_is_no_error_is_left_out():
    note = finding("x", kind="registration", op=None, level="warning", field=None, old=None, new=None)
    assert render(report("p", findings=[note])) == ""


def test_what_is_waived_is_left_out():
    waiver = Waived(reason="r", owner="ann", is_new=True)
    findings = [
        finding("kept", kind="input", field=None, old={}, new=None),
        finding("gone", kind="input", field=None, old={}, new=None, waived=waiver),
        finding("quant", level="note", field=None, old=None, new={"quant": True}, review="slim", waived=waiver),
    ]
    assert render(report("p", findings=findings)).split("\n")[3:-2] == [
        "For OP 'kept':",
        " * The Input 'kept' is deleted.",
    ]
    assert render(report("p", findings=findings[1:])) == ""


def test_every_comparison_has_a_block_and_what_is_of_none_comes_first():
    lost = finding("specs/a.json", kind="source", op=None, field=None, old=None, new=None, message="the file is gone")
    removed = finding("X", op="a", kind="input", field=None, old={}, new=None)
    text = render(
        Report(general=(lost,), comparisons=(*(comparison("p", [removed]) for _ in range(2)), comparison("p", [])))
    )
    block = [RULE, HEAD, "", "For OP 'a':", " * The Input 'X' is deleted.", RULE]
    assert text.splitlines() == [RULE, HEAD, "", "For OP '':", " * The file is gone.", RULE, *block, *block]


@pytest.mark.parametrize("item", every_report())
def test_there_is_a_block_where_anything_fails(item):
    failed = item.failed or any(finding.review and finding.counts for finding in item.findings)
    assert bool(render(item)) is failed

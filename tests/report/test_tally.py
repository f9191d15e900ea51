from __future__ import annotations

import pytest

from opspec_lint.report.findings import Approval, Finding, Waived
from opspec_lint.report.tally import draw


def finding(op, rule="op_removed", level="error", **fields):
    texts = dict.fromkeys(("message", "breaks", "advice"), "x")
    return Finding(rule=rule, event=rule, level=level, directions=(), kind="op", op=op, name=op, **texts, **fields)


def parts(bar):
    return {part.name: part.ops for part in bar.parts}


def test_an_op_counts_once_in_a_bar_at_its_worst():
    result = [finding("a"), finding("a", level="note"), finding("b", level="note"), finding("b", "op_added", "warning")]
    picture = draw(result, width=100, rule_width=50)
    assert picture.total.ops == 2
    assert parts(picture.total) == {"error": 1, "warning": 1}
    assert {bar.label: parts(bar) for bar in picture.rules} == {
        "op_removed": {"error": 1, "note": 1},
        "op_added": {"warning": 1},
    }


def test_what_does_not_count_is_milder_than_what_does():
    waived, approval = Waived(reason="r", owner="o"), Approval(by=("ann",))
    result = [finding("a", waived=waived), finding("a", level="note"), finding("b", waived=waived)]
    result += [
        finding("b", approval=approval),
        finding("c", waived=waived),
        finding("c", waived=waived, approval=approval),
    ]
    result += [finding("d", approval=Approval(problem="nobody"))]
    assert parts(draw(result, **SIZE).total) == {"error": 1, "note": 1, "approved": 1, "waived": 1}


def test_what_concerns_no_op_is_not_in_the_picture():
    picture = draw([finding(None)], **SIZE)
    assert (picture.total.ops, picture.total.parts, picture.rules) == (0, (), ())


def test_the_worst_rule_comes_first_and_then_the_longest():
    result = [finding("a", "one"), *(finding(op, "two") for op in "ab"), *(finding(op, "mild", "note") for op in "abc")]
    assert [bar.label for bar in draw(result, **SIZE).rules] == ["two", "one", "mild"]


def test_bars_share_a_scale_and_their_parts_touch():
    result = [finding(f"op{number}", level="error" if number < 3 else "note") for number in range(10)]
    result += [finding(f"op{number}", "one", "note") for number in range(5)]
    picture = draw(result, width=100, rule_width=50)
    long, short = picture.rules
    assert [(part.x, part.width) for part in picture.total.parts] == [(0, 30), (30, 70)]
    assert [(part.x, part.width) for part in long.parts] == [(0, 15), (15, 35)]
    assert [(part.x, part.width) for part in short.parts] == [(0, 25)]


@pytest.mark.parametrize("many", [1, 10_000])
def test_a_single_op_among_thousands_is_seen_and_the_bar_keeps_its_width(many):
    result = [finding(f"op{number}", level="note") for number in range(many)] + [finding("a")]
    error, note = draw(result, width=100, rule_width=50).total.parts
    assert error.width > 1.9
    assert round(error.width + note.width, 1) == 100
    assert note.x == error.width


SIZE = {"width": 100, "rule_width": 50}

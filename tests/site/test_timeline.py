"""In which releases something is, as the comparison of check sees it; what nobody could read is no change."""

from __future__ import annotations

import pytest

from opspec_lint.site import when
from opspec_lint.site.judgements import judgements
from opspec_lint.site.summary import Summaries
from opspec_lint.site.timeline import timelines
from opspec_lint.spec.model import UNKNOWN, Remark
from tests.support.sites import line, spec

WITH = "f(X) -> (Out) [axis: INT = {}]\ng(X) -> (Out)"


def came(text_of, *texts, op="f", name=None):
    """When an op, or an argument of it, came and went, as texts."""
    result = line(*texts)
    timeline = timelines(result)[op]
    thing = (
        timeline.whole if name is None else next(argument for argument in timeline.arguments if argument.name == name)
    )
    return [text_of(span, result) for span in thing.spans]


def periods(*texts, name="axis"):
    timeline = timelines(line(*texts))["f"]
    thing = next(argument for argument in timeline.arguments if argument.name == name)
    return [
        (period.start, period.end, period.state, period.declared and period.declared.default_value)
        for period in thing.periods
    ]


def test_what_the_oldest_release_has_may_be_older():
    assert came(when.since, WITH.format(1), WITH.format(1)) == ["≤1.0"]
    assert came(when.since, "g(X) -> ()", WITH.format(1)) == ["2.0"]
    assert came(when.until, "g(X) -> ()\nf(X) -> ()", "g(X) -> ()") == ["2.0"]


def test_an_argument_has_a_time_of_its_own():
    texts = "f(X) -> (Out)", WITH.format(1), WITH.format(1), "f(X) -> (Out)"
    assert came(when.since, *texts, name="axis") == ["2.0"]
    assert came(when.until, *texts, name="axis") == ["4.0"]
    assert came(when.since, *texts) == ["≤1.0"]


def test_what_came_again_has_two_spans():
    texts = WITH.format(1), "g(X) -> (Out)", WITH.format(1)
    assert came(when.since, *texts) == ["≤1.0", "3.0"]
    assert came(when.until, *texts) == ["2.0", None]


def test_releases_with_a_single_declaration_are_one_stay():
    assert periods(WITH.format(1), WITH.format(1), WITH.format(2)) == [(0, 2, "there", 1), (2, 3, "there", 2)]


def test_a_revert_is_one_more_stay_of_the_same_line():
    assert [value for *_, value in periods(WITH.format(1), WITH.format(2), WITH.format(1))] == [1, 2, 1]


@pytest.mark.parametrize(("first", "second"), [("1", "true"), ("0.0", "-0.0"), ("1", "1.0")])
def test_values_are_compared_as_check_compares_them(first, second):
    assert len(periods(WITH.format(first), WITH.format(second))) == 2


def unknown(text):
    """A spec that does not know the default of `axis`."""
    made = spec(text, "2.0")
    f = made.ops["f"]
    return made.replace(ops={**made.ops, "f": f.replace(attrs=(f.attrs[0].replace(default_value=UNKNOWN),))})


def test_a_value_that_is_not_known_is_no_change():
    assert periods(WITH.format(1), unknown(WITH.format(7)), WITH.format(1)) == [(0, 3, "there", 1)]


def test_a_change_behind_what_is_not_known_is_one():
    result = periods(WITH.format(1), unknown(WITH.format(7)), WITH.format(2))
    assert result == [(0, 2, "there", 1), (2, 3, "there", 2)]


def unread(text, op="f"):
    """A spec of a source that has an op which could not be read."""
    return spec(text, "2.0", remarks=(Remark(event="op_unresolved", name=op, op=op, facts={"reason": "unknown"}),))


def test_an_op_that_could_not_be_read_is_not_gone():
    texts = WITH.format(1), unread("g(X) -> (Out)"), WITH.format(1)
    assert came(when.since, *texts) == ["≤1.0"]
    assert came(when.until, *texts) == [None]
    assert timelines(line(*texts))["f"].states == ("there", "unknown", "there")


def test_an_op_that_came_behind_a_release_that_could_not_be_read_may_be_older():
    assert came(when.since, "g(X) -> (Out)", unread("g(X) -> (Out)"), WITH.format(1)) == ["≤3.0"]
    assert came(when.until, WITH.format(1), unread("g(X) -> (Out)"), "g(X) -> (Out)") == ["≤3.0"]


def test_arguments_of_the_same_name_are_distinguished():
    timeline = timelines(line("f(X, X) -> ()", "f(X) -> ()"))["f"]
    assert [len(argument.spans) for argument in timeline.arguments] == [1, 1]
    assert [argument.is_there_last for argument in timeline.arguments] == [True, False]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("f(X) -> ()",) * 2, "In every release from 1.0 (or before) to 2.0. Never changed."),
        (("g(X) -> ()", "f(X) -> ()\ng(X) -> ()"), "Only in 2.0, the newest release. Never changed."),
        (("f(X) -> ()\ng(X) -> ()", "g(X) -> ()"), "From 1.0 (or before) to 1.0, removed in 2.0. Never changed."),
        (
            (WITH.format(1), WITH.format('"a"').replace("INT", "STRING")),
            (
                "In every release from 1.0 (or before) to 2.0. Last changed in 2.0: the type of the attr 'axis' "
                "changed from INT to STRING, and 1 more change. Changed in 1 release; saved models broke once."
            ),
        ),
        (
            (WITH.format(1), WITH.format(2), WITH.format(2)),
            (
                "In every release from 1.0 (or before) to 3.0. Last changed in 2.0: the default value of the attr "
                "'axis' changed from 1 to 2. Changed in 1 release; what saved models compute may have changed."
            ),
        ),
        (
            ("f(X) -> ()", "f(X) -> () [a: INT = 1, b: INT = 1]"),
            (
                "In every release from 1.0 (or before) to 2.0. Last changed in 2.0: the attr 'a' was added with the "
                "default value 1, and 1 more change. Changed in 1 release; no saved model broke."
            ),
        ),
    ],
)
def test_a_page_begins_with_its_releases_and_the_last_change(texts, message):
    assert summaries(line(*texts)).of_page(["f"]) == message


def test_a_page_of_several_declarations_begins_with_their_releases():
    texts = (
        "f@1(X) -> ()\nf@2(X) -> ()",
        "f@1(X) -> () [a: INT = 1]\nf@2(X) -> ()\nf@3(X) -> ()",
        "f@2(X) -> ()\nf@3(X) -> ()",
    )
    text = summaries(line(*texts)).of_page(["f@3", "f@2", "f@1"])
    assert text == (
        "3 declarations: f@3 since 2.0, f@2 since ≤1.0, f@1 until 3.0. Last changed in 2.0, f@3: the op 'f@3' is new."
    )


def test_an_added_version_is_a_change_of_its_page():
    texts = "Abs@1(X: T) -> (Y: T)", "Abs@1(X: T) -> (Y: T)\nAbs@6(X: T) -> (Y: T)"
    made = line(*(spec(text, framework="onnx", binding="opset") for text in texts), framework="onnx")
    text = summaries(made).of_page(["Abs@6", "Abs@1"])
    assert text.startswith(
        "2 declarations: Abs@6 since 2.0, Abs@1 since ≤1.0. Last changed in 2.0, Abs@6: 'Abs@6' is new"
    )


def summaries(made):
    """The sentences on the ops of a line."""
    (own,) = judgements(made, [made])
    return Summaries(made, timelines(made), own)

"""The releases in which models load: the verdicts of check on each two releases, in ranges, with the first reason that
ends each.
"""

from __future__ import annotations

from opspec_lint.site.judgements import judgements, policy_of
from opspec_lint.site.loads import rows
from opspec_lint.site.timeline import timelines
from tests.site.test_timeline import unread
from tests.support.sites import line, site, spec, table

PLAIN = "f(X) -> (Out) [axis: INT = 1]\ng(X) -> ()"
ANOTHER = 'f(X) -> (Out) [axis: STRING = "a"]\ng(X) -> ()'
"""No release loads models of one under the other."""


def loads(*texts, op="f"):
    """Return the fate of models: the releases that saved them, the ranges that load them, the rules against others."""
    result = line(*texts)
    (own,) = judgements(result, [result])
    states = timelines(result)[op].states
    return [
        (
            row.saved,
            row.ranges,
            [(first, last, row.verdict, row.finding and row.finding.rule) for first, last, row in row.reasons],
        )
        for row in rows(op, states, states, own)
    ]


def test_an_op_that_never_changed_loads_everywhere():
    assert loads(PLAIN, PLAIN, PLAIN) == [((0, 1, 2), ((0, 2),), [])]


def test_a_range_ends_with_the_first_reason():
    assert loads(PLAIN, PLAIN, ANOTHER) == [
        ((2,), ((2, 2),), [(0, 1, "does not load", "attr_type_changed")]),
        ((0, 1), ((0, 1),), [(2, 2, "does not load", "attr_type_changed")]),
    ]


def test_a_revert_leaves_a_hole_in_the_range():
    assert loads(PLAIN, ANOTHER, PLAIN) == [
        ((0, 2), ((0, 0), (2, 2)), [(1, 1, "does not load", "attr_type_changed")]),
        ((1,), ((1, 1),), [(0, 0, "does not load", "attr_type_changed"), (2, 2, "does not load", "attr_type_changed")]),
    ]


def test_what_may_differ_loads():
    (row, _) = loads(PLAIN, PLAIN.replace("1", "2"))
    assert row == ((1,), ((0, 1),), [(0, 0, "may differ", "attr_default_changed")])


def test_an_op_that_is_not_there_stops_a_model():
    assert loads(PLAIN, "g(X) -> ()") == [((0,), ((0, 0),), [(1, 1, "does not load", "op_removed")])]
    text = site(PLAIN, "g(X) -> ()")["paddle/op/f.html"]
    assert table(text, "where") == [["1.0", "1.0", "does not load 2.0 has no such op op_removed, by the rules"]]


def test_an_op_that_is_not_there_stops_a_model_that_no_policy_expects():
    """Programs for inference have no op of the backward pass, so that its removal is a note to `check`."""
    bases = [
        spec(text, framework="paddle-pir", binding="position")
        for text in ("pd_op.f_grad(x) -> (out)\npd_op.f(x) -> (out)", "pd_op.f(x) -> (out)")
    ]
    pages = site(*bases, framework="paddle-pir")
    (row,) = table(pages["paddle-pir/op/pd_op.f_grad.html"], "where")
    assert row == ["1.0", "1.0", "does not load 2.0 has no such op op_removed, by the rules"]
    assert "unless they use the op below." in pages["paddle-pir/paddle-pir-1.0-in-paddle-pir-2.0.html"]


def test_an_op_that_could_not_be_read_may_be_there():
    assert loads(PLAIN, unread("g(X) -> ()")) == [((0,), ((0, 0),), [(1, 1, "unknown", None)])]


def test_a_release_that_reads_a_schema_as_an_older_version_is_not_listed_as_loading():
    actual = loads_of_onnx("Abs@1(X: T) -> (Y: T)", "Abs@1(X: T) -> (Y: T)\nAbs@6(X: T) -> (Y: T)")
    reason = (
        "not every model 1.0 has no such op; it reads the node as Abs@1, and refuses it if Abs@1 lacks one of its "
        "attrs, inputs or outputs op_removed, by the rules"
    )
    assert actual == [("2.0", "2.0", reason)]


def test_ops_that_are_read_as_older_ones_are_listed_apart():
    texts = "Abs@1(X: T) -> (Y: T)", "Abs@1(X: T) -> (Y: T)\nAbs@6(X: T) -> (Y: T)"
    pages = site(*(spec(text, framework="onnx", binding="opset") for text in texts), framework="onnx")
    text = pages["onnx/onnx-2.0-in-onnx-1.0.html"]
    assert "Yes, unless they use what is new in the op below that 1.0 has in an older version only." in text
    assert "Loads a node only if it fits the older version of the op that 1.0 has" in text


def test_a_schema_without_an_older_one_stops_a_model():
    result = loads_of_onnx("Add@1(X: T) -> (Y: T)", "Abs@6(X: T) -> (Y: T)")
    assert result[0][1:] == ("2.0", "does not load 1.0 has no such op op_removed, by the rules")


def loads_of_onnx(*texts):
    """The rows of the newest schema of Abs."""
    pages = site(*(spec(text, framework="onnx", binding="opset") for text in texts), framework="onnx")
    (row, *_) = table(pages["onnx/op/Abs.html"], "where")
    return [tuple(row)]


def test_models_are_judged_by_their_loaders():
    assert policy_of("tensorflow").name == "tensorflow-saved-model"
    assert policy_of("onnx").name == "onnx"


def test_models_of_paddle_are_judged_by_its_translation_as_well():
    pir = "pd_op.f(X) -> (Out)", "paddle-pir@3.0", spec("pd_op.f(X) -> (Out)", "3.0", "paddle-pir")
    result = line(PLAIN), line(pir[0], framework="paddle-pir")
    assert [judgement.profile for judgement in judgements(result[0], result)] == [
        "paddle-saved-model",
        "paddle-translation",
    ]


def test_a_limit_of_a_release_stops_some_models_of_any_op():
    text = 'Abs@1(X: T) -> (Y: T)\nloading {{"ir_version": {}, "opsets": {{"ai.onnx": 20}}}}'
    bases = [spec(text.format(limit), framework="onnx", binding="opset") for limit in (8, 10)]
    pages = site(*bases, framework="onnx")
    (row,) = table(pages["onnx/op/Abs.html"], "where")
    older = (
        "not every model in a release older than the one that saved it: the release no longer accepts the newest "
        "models limit_lowered, "
    )
    assert row == ["1.0 – 2.0", "1.0 – 2.0", f"{older}by the rules"]  # noqa: RUF001
    assert "Not every model loads, whatever it uses." in pages["onnx/onnx-2.0-in-onnx-1.0.html"]


def test_a_limit_that_a_newer_release_lowers_is_a_reason_of_its_own():
    text = 'Abs@1(X: T) -> (Y: T)\nloading {{"ir_version": {}, "opsets": {{"ai.onnx": 20}}}}'
    bases = [spec(text.format(limit), framework="onnx", binding="opset") for limit in (10, 8)]
    pages = site(*bases, framework="onnx")
    newer, older = table(pages["onnx/op/Abs.html"], "where")
    assert newer == ["2.0", "1.0 – 2.0", ""]  # noqa: RUF001
    output = (
        "not every model 2.0 the IR version may be at most 8, and 10 in base: a model with the IR version 10 is "
        "refused by the new release limit_lowered, by the rules"
    )
    assert older == ["1.0", "1.0 – 2.0", output]  # noqa: RUF001


def test_a_framework_marks_the_releases_with_lower_limits():
    text = 'Abs@1(X: T) -> (Y: T)\nloading {{"ir_version": {}, "opsets": {{"ai.onnx": 20}}}}'
    bases = [spec(text.format(limit), framework="onnx", binding="opset") for limit in (8, 10)]
    page = site(*bases, framework="onnx")["onnx/index.html"]
    assert '<td class="limited">' in page
    matrix = [row[1:] for row in table(page, "matrix")]
    marks = [[cell.partition(" ")[0] for cell in row] for row in matrix]
    assert marks == [["–", "0"], ["0*", "–"]]  # noqa: RUF001

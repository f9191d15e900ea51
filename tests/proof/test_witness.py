"""The models that may show a finding: they vary the subject of the finding, one thing at a time."""

from __future__ import annotations

import pytest

from opspec_lint.lint.check import check
from opspec_lint.proof import witness
from opspec_lint.proof.sample import Sample, UnwritableError
from opspec_lint.proof.writer import WRITERS
from opspec_lint.spec.notation import parse_spec


def specs(base, head, framework="paddle"):
    binding = {"tensorflow": "signature"}.get(framework, "name")
    return [parse_spec(text, framework=framework, binding=binding) for text in (base, head)]


def models(base, head, rule, name=None, framework="paddle", wrote="program_desc"):
    """Return the samples of base for the one finding of a rule."""
    pair = specs(base, head, framework)
    candidate = next(finding for finding in check(*pair).findings if finding.rule == rule)
    return witness.candidates(candidate, *pair, WRITERS.load(wrote), candidate.name if name is None else name)


def test_an_attr_is_left_out_and_has_each_of_its_values():
    result = models("f(X) -> (Out) [a: INT = 7]", "f(X) -> (Out)", "attr_removed")
    values = [candidate.sample.attrs.get("a") for candidate in result if candidate.kind == 0]
    assert values == [None, 7, 1, 0, 2]


def test_values_that_the_other_release_does_not_allow_come_first():
    base = 'F(x: T) -> () [T: type in ["float", "string"]]'
    head = 'F(x: T) -> () [T: type in ["float"]]'
    result = models(base, head, "allowed_values_narrowed", framework="tensorflow", wrote="graph_def")
    assert [(candidate.sample.attrs["T"], candidate.is_decisive) for candidate in result] == [
        ("string", True),
        ("float", False),
    ]


def test_an_input_is_given_once_left_out_and_given_twice():
    base, head = "f(X, Y*?) -> (Out)", "f(X) -> (Out)"
    result = models(base, head, "input_removed")
    assert [candidate.sample.inputs for candidate in result if candidate.kind == 0] == [
        {"X": 1, "Y": 1},
        {"X": 1},
        {"X": 1, "Y": 2},
    ]


def test_what_else_the_other_release_requests_is_reported_besides():
    base = "f(X) -> (Out)"
    head = "f(X, Y) -> (Out) [a: INT, b: INT]"
    result = models(base, head, "attr_added_without_default")
    assert [(sorted(candidate.sample.attrs), sorted(candidate.sample.inputs)) for candidate in result] == [
        ([], ["X"]),
        (["b"], ["X", "Y"]),
    ]


def control(base, head, rule, **attrs):
    """Return the outcome of the control of a model of base, for the one finding of a rule."""
    pair = specs(base, head)
    candidate = next(finding for finding in check(*pair).findings if finding.rule == rule)
    sample = Sample(op=pair[0].ops["f"], attrs=attrs, inputs={"X": 1})
    names = (candidate.name, candidate.new_name or candidate.name)
    made = witness.control(sample, candidate, pair[1].ops["f"], names, WRITERS.load("program_desc"))
    return None if made is None else ({attr.name: attr.type for attr in made.op.attrs}, dict(made.attrs))


def test_a_control_states_the_attr_as_the_other_release_declares_it_and_nothing_else():
    others = ({"b": "INT", "a": "FLOAT"}, {"b": 3, "a": 7.0})
    assert (
        control("f(X) -> () [a: INT, b: INT]", "f(X) -> () [a: FLOAT, b: LONG]", "attr_type_changed", a=7, b=3)
        == others
    )
    given = ({"b": "INT", "a": "INT"}, {"b": 3, "a": 1})
    assert control("f(X) -> () [b: INT]", "f(X) -> () [a: INT, b: INT]", "attr_added_without_default", b=3) == given
    assert control("f(X) -> () [a: INT = 1]", "f(X) -> ()", "attr_removed", a=7) == ({}, {})


def test_an_input_has_no_control():
    assert control("f(X) -> () [a: INT]", "f(X, Y) -> () [a: INT]", "input_added_not_dispensable", a=7) is None


def test_the_versions_that_the_other_release_lacks_come_first():
    pair = specs("ADD() -> ()", "ADD() -> ()", "tflite")
    base = pair[0].replace(ops={"ADD": pair[0].ops["ADD"].replace(min_version=1, max_version=3)}, binding="op_version")
    head = pair[1].replace(ops={"ADD": pair[1].ops["ADD"].replace(min_version=2, max_version=2)}, binding="op_version")
    candidate = next(finding for finding in check(base, head).findings if finding.rule == "max_version_lowered")
    made = witness.candidates(candidate, base, head, WRITERS.load("tflite"), "ADD")
    assert [candidate.sample.version for candidate in made] == [1, 3, 2]


def test_no_more_models_than_the_limit():
    attrs = ", ".join(f"a{number}: INT" for number in range(40))
    assert len(models(f"f(X) -> (Out) [{attrs}]", "f(X) -> (Out)", "attr_removed")) == witness.MOST


@pytest.mark.parametrize(
    ("base", "head", "rule", "reason"),
    [
        ("f(X) -> (Out)", "f(X) -> (Out)\ng() -> ()", "op_added", ""),
        ("f(X) -> (Out)", "f(X) -> (Out)", "op_version_unregistered", "an op's version history is read by tools"),
    ],
)
def test_what_no_model_can_show_states_why(base, head, rule, reason):
    from tests.support.findings import finding

    candidate = next(
        (finding for finding in check(*specs(base, head)).findings if finding.rule == rule), finding(rule=rule)
    )
    assert witness.reason_without_model(candidate, {}).startswith(reason)
    assert bool(witness.reason_without_model(candidate, {})) is bool(reason)


def test_a_finding_that_states_nothing_of_models_has_none():
    from tests.support.findings import finding

    assert witness.reason_without_model(finding(directions=()), {}) == "it says nothing of what becomes of models"


def test_an_op_that_the_saver_lacks_has_no_model():
    from tests.support.findings import finding

    pair = specs("f(X) -> (Out)", "f(X) -> (Out)")
    with pytest.raises(UnwritableError, match="does not have the op"):
        witness.candidates(finding(op="g"), *pair, WRITERS.load("program_desc"), "axis")


def deciding(base, head, rule):
    """Return the attrs that decide which tensors stand at what the one finding of a rule is about."""
    pair = specs(base, head, "tensorflow")
    candidate = next(finding for finding in check(*pair).findings if finding.rule == rule)
    return witness.deciding_attr_names(candidate, tuple(pair))


def test_attrs_that_decide_which_tensors_are_at_an_input():
    head = "F(x: N*T) -> () [N: int, T: type, U: type]"
    for declared, names in (("U", {"U"}), ("N * U", {"N", "U"}), ("float", set())):
        base = f"F(x: N*T, y: {declared}) -> () [N: int, T: type, U: type]"
        assert deciding(base, head, "input_removed") == names


def test_nothing_decides_at_an_attr():
    assert deciding("F(x: T) -> () [T: type, a: int]", "F(x: T) -> () [T: type]", "attr_removed") == set()


def test_what_concerns_no_op_is_shown_by_the_simplest_that_both_have():
    text = "a(X, Y) -> (Out) [b: INT, c: INT, d: INT]\nf(X) -> (Out)\ng(X) -> (Out) [b: INT]"
    saver, reader = specs(text, text)
    assert witness._any_op(saver, reader).name == "f"

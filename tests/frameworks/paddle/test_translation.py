"""Programs held against the PIR ops that they are translated to, and a whole release against another."""

from __future__ import annotations

import pytest
from paddle_programs import audited, node, program, release

from opspec_lint.frameworks.paddle.translation.legacy_names import LegacyNames
from opspec_lint.kit.errors import InputError
from opspec_lint.lint.check import check
from opspec_lint.spec.model import UNKNOWN, Attr, GraphVersions, Input, Op, Output, Provenance, Spec

BOOL, INT, LONG, DOUBLE = (f"pir::{name}Attribute" for name in ("Bool", "Int32", "Int64", "Double"))
X = Input(name="x", dispensable=False, duplicable=False, legacy_name="X")
OUT = Output(name="out", dispensable=False, legacy_name="Out")


def pir(*attrs, name="pd_op.f", legacy=("old_f",), version=1, **more):
    found = {"inputs": (X,), "outputs": (OUT,), "own": {"legacy_names": legacy}} | more
    op = Op(name=name, attrs=attrs, **found)
    return Spec(
        file="pir",
        provenance=Provenance(framework="paddle-pir", version="3.0.0"),
        ops={name: op},
        binding="position",
        graph_versions=GraphVersions(producer=version),
    )


def attr(name, kind, default=None, **own):
    return Attr(name=name, type=kind, default_value=default, **own)


def verdict(tmp_path, made, spec):
    found = audited(tmp_path, program(made), spec, "pir_translation")
    return found.verdict, [each.rule for each in found.findings]


@pytest.mark.parametrize(
    ("made", "spec", "rule"),
    [
        (node("old_f", ["X"]), pir(), None),
        (node("f", ["x"], ["out"]), pir(), None),
        (node("f", ["X"], ["out"]), pir(), "model_input_missing"),
        (node("g", ["X"]), pir(), "model_op_unknown"),
        (node("old_f"), pir(), "model_input_missing"),
        (node("old_f", {"X": ["x", "y"]}), pir(), "model_input_missing"),
        (node("old_f", {"X": ["nowhere"]}), pir(), "model_input_missing"),
        (node("old_f", ["X"], []), pir(), "model_output_missing"),
        (node("old_f", ["X"], []), pir(outputs=(OUT.but(dispensable=True),)), None),
        (node("old_f"), pir(inputs=(X.but(dispensable=True),)), None),
        (node("old_f"), pir(inputs=(X.but(dispensable=UNKNOWN),)), None),
        (node("old_f", ["X"], b=("INT", 1)), pir(), None),
        (node("old_f", ["X"]), pir(attr("a", INT, 1)), "model_attr_missing"),
        (node("old_f", ["X"]), pir(attr("a", INT, 1, legacy_extra=True)), None),
        (node("old_f", ["X"]), pir(attr("a", BOOL, False)), None),
        (node("old_f", ["X"]), pir(attr("a", "paddle::dialect::PlaceAttribute")), None),
        (node("old_f", ["X"], a=("INT", 1)), pir(attr("a", INT)), None),
        (node("old_f", ["X"], a=("INT", 1)), pir(attr("a", LONG)), None),
        (node("old_f", ["X"], a=("LONG", 1)), pir(attr("a", INT)), "model_attr_type"),
        (node("old_f", ["X"], a=("FLOAT", 1.0)), pir(attr("a", DOUBLE)), "model_attr_type"),
        (node("old_f", ["X"], a=("FLOAT", 1.0)), pir(attr("a", DOUBLE), version=4), None),
        (node("old_f", ["X"], a=("INTS", [1])), pir(attr("a", f"pir::ArrayAttribute<{LONG}>")), None),
        (node("old_f", ["X"], A=("INT", 1)), pir(attr("a", INT, legacy_name="A")), None),
    ],
)
def test_what_a_node_is_refused_for(tmp_path, made, spec, rule):
    assert verdict(tmp_path, made, spec) == ("refused" if rule else "loads", [rule] if rule else [])


def test_a_boolean_that_is_true_by_default_becomes_false(tmp_path):
    assert verdict(tmp_path, node("old_f", ["X"]), pir(attr("a", BOOL, True))) == ("changed", ["model_attr_filled"])


def test_a_mutable_attr_is_given_as_a_tensor_or_as_an_attr(tmp_path):
    own = {"mutable_attr": True, "legacy_name": "axis", "legacy_tensors": ("AxisTensor",)}
    axis = Input(name="axis", type="paddle::dialect::ScalarAttribute<int>", dispensable=False, own=own)
    spec = pir(inputs=(X, axis))
    assert verdict(tmp_path, node("old_f", ["X"], axis=("INT", 1)), spec)[0] == "loads"
    assert verdict(tmp_path, node("old_f", {"X": ["x"], "AxisTensor": ["y"]}), spec)[0] == "loads"
    assert verdict(tmp_path, node("old_f", ["X"]), spec) == ("refused", ["model_attr_missing"])
    assert verdict(tmp_path, node("old_f", ["X"], axis=("INTS", [1])), spec) == ("refused", ["model_attr_type"])


def test_a_variable_that_is_read_and_written_asks_for_the_op_in_place(tmp_path):
    in_place = node("old_f", {"X": ["out"]})
    assert verdict(tmp_path, in_place, pir()) == ("refused", ["model_op_unknown"])
    assert verdict(tmp_path, in_place, pir(name="pd_op.f_"))[0] == "loads"


def test_translators_of_their_own(tmp_path):
    softmax = pir(attr("axis", INT, -1), attr("b", BOOL), name="pd_op.softmax", legacy=())
    softmax = softmax.but(ops={"pd_op.softmax": softmax.ops["pd_op.softmax"].but(inputs=(), outputs=())})
    assert verdict(tmp_path, node("softmax", [], []), softmax) == ("refused", ["model_attr_missing"])
    assert verdict(tmp_path, node("softmax", [], [], b=("BOOLEAN", True)), softmax) == ("loads", [])
    assert verdict(tmp_path, node("quantize_linear", ["X"]), pir()) == ("cannot_tell", ["model_not_judged"])


def test_names_of_op_compat():
    names = LegacyNames(
        [
            {
                "op": "sum (reduce_sum)",
                "backward": "sum_grad (reduce_sum_grad)",
                "inputs": {"x": "X"},
                "outputs": {"out": "Out"},
                "attrs": {"axis": "dim"},
                "int_array": {"axis": {"data_type": "int", "tensors_name": "AxisTensors", "tensor_name": "Axis"}},
                "extra": {"attrs": ["bool use_mkldnn = false", "int seed=0"]},
            },
            {"op": "adam_ (adam)"},
        ]
    )
    assert (names.of_op("sum"), names.of_op("adam"), names.of_op("abs")) == (("reduce_sum",), ("adam",), ())
    assert (names.argument("reduce_sum", "x"), names.argument("reduce_sum", "y")) == ("X", "y")
    assert names.argument("reduce_sum_grad", "out_grad") == "Out@GRAD"
    assert names.attr("reduce_sum_grad", "axis") == "dim"
    assert names.tensors("reduce_sum", "axis") == ("Axis", "AxisTensors")
    assert names.is_extra("reduce_sum", "seed")
    assert not names.is_extra("reduce_sum", "dim")


@pytest.mark.parametrize(
    ("op", "spec", "rule"),
    [
        ("old_f(X) -> (Out)", pir(), None),
        ("g(X) -> (Out)", pir(), "translation_op_missing"),
        ("old_f(X) -> (Out)", pir(attr("a", INT, 1)), "translation_attr_absent"),
        ("old_f(X) -> (Out)", pir(attr("a", BOOL, True)), "translation_attr_filled"),
        ("old_f(X) -> (Out) [a: LONG]", pir(attr("a", INT)), "translation_attr_type"),
        ("old_f(X?) -> (Out)", pir(), "translation_input_absent"),
        ("old_f(X) -> (Out?)", pir(), "translation_output_absent"),
        ("quantize_linear(X) -> (Out)", pir(), "translation_not_told"),
        ("g_grad(X) -> (Out)", pir(), None),
    ],
)
def test_a_release_against_the_pir_ops_of_another(op, spec, rule):
    found = check(release(op), spec)
    assert found.profile == "paddle-translation"
    assert [each.rule for each in found.findings] == ([rule] if rule else [])


def test_no_way_leads_back():
    with pytest.raises(InputError, match="is a spec of paddle, but base"):
        check(pir(), release("f(X) -> (Out)"))

"""The plug-in reads models, extracts ops and predicts what `read_model` refuses."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from opspec_lint_openvino.saved import ir
from opspec_lint_openvino.sources import runtime

import opspec_lint

MODEL = """<?xml version="1.0"?>
<net name="pool" version="11">
 <layers>
  <layer id="0" name="x" type="Parameter" version="opset1">
   <data shape="?,3" element_type="f32"/><output><port id="0" precision="FP32"><dim>-1</dim><dim>3</dim></port></output>
  </layer>
  <layer id="1" name="c" type="Const" version="opset1">
   <data element_type="f32" shape="1" offset="0" size="4"/>
   <output><port id="0" precision="FP32"><dim>1</dim></port></output>
  </layer>
  <layer id="2" name="sum" type="Add" version="opset1">
   <data auto_broadcast="numpy" axis="1"/>
   <input><port id="0"><dim>-1</dim><dim>3</dim></port><port id="1"><dim>1</dim></port></input>
   <output><port id="2" precision="FP32"><dim>-1</dim><dim>3</dim></port></output>
  </layer>
  <layer id="3" name="y" type="Result" version="opset1">
   <input><port id="0"><dim>-1</dim><dim>3</dim></port></input>
  </layer>
  <layer id="4" name="dead" type="Fancy" version="opset1"/>
 </layers>
 <edges>
  <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
  <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
  <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
 </edges>
</net>
"""
PARAMETER = {"name": "element_type", "kind": "str", "enum": "Type", "default": "dynamic"}
BROADCAST = {"name": "auto_broadcast", "kind": "str", "enum": "Broadcast", "default": "numpy"}
AXIS = {"name": "axis", "kind": "int", "enum": "", "default": 0}


def op_of(name, inputs, *attributes, opsets=(1, 2, 3)):
    """Return an op as the probe does."""
    return {"name": name, "version": "opset1", "opsets": opsets, "inputs": inputs, "attributes": attributes}


ANSWER = {
    "version": "1.0.0",
    "ir_versions": [10, 11],
    "ops": [
        op_of("Add", [2], BROADCAST, AXIS, opsets=(1, 3)),
        op_of("Constant", []),
        op_of("Parameter", [0], PARAMETER),
        op_of("Result", [1]),
        op_of("Split", []),
    ],
    "enums": {"Broadcast": ["none", "numpy"], "Type": ["boolean", "dynamic", "f32"]},
}


@pytest.fixture
def release(tmp_path, monkeypatch):
    """Write the spec of a release whose probe answers `ANSWER` with changes; return its file."""

    def write(name="old.json", **changes):
        monkeypatch.setattr(runtime, "run_query", lambda *_: {**ANSWER, **changes})
        (tmp_path / name).write_text(opspec_lint.load("openvino-runtime").text, encoding="utf-8")
        return tmp_path / name

    return write


@pytest.fixture
def model(tmp_path):
    """Write the model with a text replaced; return its file."""

    def write(old="", new="", weights=b"0000"):
        assert old in MODEL
        (tmp_path / "m.xml").write_text(MODEL.replace(old, new, 1), encoding="utf-8")
        if weights is not None:
            (tmp_path / "m.bin").write_bytes(weights)
        return tmp_path / "m.xml"

    return write


@pytest.mark.parametrize(
    ("verdict", "change", "problem"),
    [
        ("loads", ('name="y"', 'name="z"'), '"findings": []'),
        ("loads", ('type="Add"', 'type="ADD"'), '"findings": []'),
        ("loads", ('auto_broadcast="numpy"', 'auto_broadcast="NUMPY" fancy="1"'), '"findings": []'),
        ("loads", ('type="Add" version="opset1"', 'type="Add" version="opset3"'), '"findings": []'),
        ("loads", ('type="Add" version="opset1"', 'type="Split" version="opset1"'), '"findings": []'),
        ("refused", ('type="Add" version="opset1"', 'type="Add" version="opset2"'), "model_op_unknown"),
        ("refused", ('type="Add" version="opset1"', 'type="Add" version="opset4"'), "model_op_unknown"),
        ("refused", ('type="Add"', 'type="Fancy"'), "model_op_unknown"),
        ("refused", ('auto_broadcast="numpy"', 'auto_broadcast="pdpd"'), "model_attr_value"),
        ("refused", ('name="pool" version="11"', 'name="pool" version="12"'), "model_header"),
        ("refused", ('from-layer="1" from-port="0"', 'from-layer="9" from-port="0"'), "model_wiring"),
        ("refused", ('from-layer="0" from-port="0"', 'from-layer="2" from-port="2"'), "model_wiring"),
        ("refused", ('to-layer="2" to-port="1"', 'to-layer="2" to-port="0"'), "model_wiring"),
        ("refused", ('<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>', ""), "model_input_count"),
        ("refused", ('precision="FP32"><dim>1<', 'precision="U4"><dim>1<'), "model_wiring"),
        ("refused", ('offset="0" size="4"', 'offset="4" size="4"'), "model_wiring"),
        ("refused", ('shape="1" offset', 'shape="7" offset'), "model_wiring"),
        ("refused", ('offset="0"', 'offset="none"'), "model_wiring"),
        ("cannot_tell", ('shape="?,3"', 'shape="?,4"'), "its port FP32 of [-1, 3]"),
        ("cannot_tell", ('<port id="1"><dim>1<', '<port id="1"><dim>2<'), "state different tensors"),
        ("cannot_tell", ('axis="1"', 'axis="99"'), "no dimension of the layer is as large"),
        ("cannot_tell", ('axis="1"', 'axis="one"'), "the release reads 0"),
        ("cannot_tell", ('element_type="f32"/>', "/>"), "it leaves out 'element_type'"),
        ("unreadable", ("</net>", ""), "is not XML"),
        ("unreadable", ("<net", "<!DOCTYPE a>\n<net"), "is not a saved model"),
        ("unreadable", (' id="2" name="sum"', ' name="sum"'), "lacks the value 'id'"),
        ("unreadable", ("<dim>1<", "<dim>-5<"), "a port has the dimension -5"),
    ],
)
def test_a_changed_model_is_judged(model, release, verdict, change, problem):
    (audit,) = opspec_lint.audit(model(*change), release()).to_dict()["audits"]
    assert audit["verdict"] == verdict
    assert problem in json.dumps(audit)


def test_weights_that_are_not_there_are_named(model, release):
    (audit,) = opspec_lint.audit(model(weights=None), release()).to_dict()["audits"]
    assert [finding["rule"] for finding in audit["findings"]] == ["model_asset"]


def test_two_releases_are_compared(release):
    new = release(
        "new.json",
        enums={**ANSWER["enums"], "Broadcast": ["numpy"]},
        ops=[op for op in ANSWER["ops"] if op["name"] != "Result"],
    )
    report = opspec_lint.check(release(), new)
    rules = {(finding.rule, finding.op) for finding in report.findings}
    assert rules == {("allowed_values_narrowed", "opset1.Add"), ("op_removed", "opset1.Result")}
    assert report.comparisons[0].profile == "openvino"


def test_the_numbers_of_inputs_become_inputs():
    records = runtime.input_records([2, 3])
    assert [(record["name"], record["dispensable"]) for record in records] == [("0", False), ("1", False), ("2", True)]
    assert runtime.input_records([*range(1, 13)]) == [{"name": "0", "dispensable": False, "duplicable": True}]
    assert runtime.input_records([]) == [{"name": "0", "unknown": ["dispensable", "duplicable"]}]


def test_the_released_specs_know_every_op_by_opset():
    names = opspec_lint.releases("openvino")
    assert [name.partition("@")[2] for name in names] == ["2023.3.0", "2024.6.0", "2025.3.0"]
    for name in names:
        spec = opspec_lint.load(name)
        assert {"opset1.Convolution", "opset1.Constant", "opset8.MaxPool"} <= spec.ops.keys()
        assert [len(spec.ops[op].inputs) for op in ("opset1.GroupConvolution", "opset13.BitwiseNot")] == [2, 1]
    assert opspec_lint.check("openvino@2023.3", "openvino@2025.3").findings != ()


def test_a_deep_graph_is_ordered_without_recursion():
    def layer(number, kind):
        edges = ((number - 1, 0, 0),) if number else ()
        return ir.Layer(
            id=number, name="", type=kind, version="", data={}, inputs=(), outputs=(), edges=edges, bodies=()
        )

    layers = [layer(0, "Parameter"), *(layer(number, "Relu") for number in range(1, 5000)), layer(5000, "Result")]
    assert ir.Net(layers={each.id: each for each in layers}).created() == list(range(5001))


@pytest.mark.wheel
def test_a_release_is_extracted():
    python = Path(os.environ["OPSPEC_LINT_OPENVINO"]).absolute()
    spec = opspec_lint.load(f"openvino-runtime:{python}")
    assert spec.text == opspec_lint.load(f"openvino@{spec.version}").text

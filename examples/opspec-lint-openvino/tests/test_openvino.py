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
MANY = list(range(13))
ADD = {"name": "Add", "version": "opset1", "opsets": [1, 3], "inputs": [2], "attributes": [BROADCAST, AXIS]}
OTHERS = [
    {"name": name, "version": "opset1", "opsets": [1, 2, 3], "attributes": attributes, "inputs": inputs}
    for name, attributes, inputs in (
        ("Constant", [], []),
        ("Parameter", [PARAMETER], MANY),
        ("Result", [], MANY[1:]),
        ("Split", [], []),
    )
]
ANSWER = {
    "version": "1.0.0",
    "ir_versions": [10, 11],
    "ops": [ADD, *OTHERS],
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
    """Write the model with texts replaced; return its file."""

    def write(*replaced, weights=b"0000"):
        text = MODEL
        for old, new in replaced:
            assert old in text
            text = text.replace(old, new, 1)
        (tmp_path / "m.xml").write_text(text, encoding="utf-8")
        if weights is not None:
            (tmp_path / "m.bin").write_bytes(weights)
        return tmp_path / "m.xml"

    return write


def verdict(model, release):
    """Return the verdict on a model with the rules of its findings."""
    (audit,) = opspec_lint.audit(model, release).to_dict()["audits"]
    return audit["verdict"], [finding["rule"] for finding in audit["findings"]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name="y"', 'name="z"'),
        ('type="Add"', 'type="ADD"'),
        ('auto_broadcast="numpy"', 'auto_broadcast="NUMPY" fancy="1"'),
        ('type="Add" version="opset1"', 'type="Add" version="opset3"'),
        ('type="Add" version="opset1"', 'type="Split" version="opset1"'),
    ],
)
def test_a_model_loads(model, release, old, new):
    assert verdict(model((old, new)), release()) == ("loads", [])


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('type="Add" version="opset1"', 'type="Add" version="opset2"', "model_op_unknown"),
        ('type="Add" version="opset1"', 'type="Add" version="opset4"', "model_op_unknown"),
        ('type="Add"', 'type="Fancy"', "model_op_unknown"),
        ('auto_broadcast="numpy"', 'auto_broadcast="pdpd"', "model_attr_value"),
        ('name="pool" version="11"', 'name="pool" version="12"', "model_header"),
        ('from-layer="1" from-port="0"', 'from-layer="9" from-port="0"', "model_wiring"),
        ('from-layer="0" from-port="0"', 'from-layer="2" from-port="2"', "model_wiring"),
        ('to-layer="2" to-port="1"', 'to-layer="2" to-port="0"', "model_wiring"),
        ('<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>', "", "model_input_count"),
        ('precision="FP32"><dim>1<', 'precision="U4"><dim>1<', "model_wiring"),
        ('offset="0" size="4"', 'offset="4" size="4"', "model_wiring"),
        ('shape="1" offset', 'shape="7" offset', "model_wiring"),
        ('offset="0"', 'offset="none"', "model_wiring"),
    ],
)
def test_a_release_refuses_a_model(model, release, old, new, rule):
    what, rules = verdict(model((old, new)), release())
    assert what == "refused"
    assert rule in rules


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('shape="?,3"', 'shape="?,4"', "its port FP32 of [-1, 3]"),
        ('<port id="1"><dim>1<', '<port id="1"><dim>2<', "state different tensors"),
        ('axis="1"', 'axis="99"', "no dimension of the layer is as large"),
        ('axis="1"', 'axis="one"', "the release reads 0"),
        ('element_type="f32"/>', "/>", "it leaves out 'element_type'"),
    ],
)
def test_a_layer_that_only_the_inference_of_shapes_could_judge_is_not_judged(model, release, old, new, problem):
    (audit,) = opspec_lint.audit(model((old, new)), release()).to_dict()["audits"]
    assert audit["verdict"] == "cannot_tell"
    assert problem in json.dumps(audit)


def test_weights_that_are_not_there_are_named(model, release):
    assert verdict(model(weights=None), release()) == ("refused", ["model_asset"])


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("</net>", "", "is not XML"),
        ("<net", "<!DOCTYPE a>\n<net", "is not a saved model"),
        (' id="2" name="sum"', ' name="sum"', "lacks the value 'id'"),
        ("<dim>1<", "<dim>-5<", "a port has the dimension -5"),
    ],
)
def test_a_damaged_file_is_named(model, release, old, new, problem):
    (audit,) = opspec_lint.audit(model((old, new)), release()).to_dict()["audits"]
    assert audit["verdict"] == "unreadable"
    assert problem in json.dumps(audit)


def test_two_releases_are_compared(release):
    new = release(
        "new.json",
        enums={**ANSWER["enums"], "Broadcast": ["numpy"]},
        ops=[each for each in ANSWER["ops"] if each["name"] != "Result"],
    )
    report = opspec_lint.check(release(), new)
    rules = {(finding.rule, finding.op) for finding in report.findings}
    assert rules == {("allowed_values_narrowed", "opset1.Add"), ("op_removed", "opset1.Result")}
    assert report.comparisons[0].profile == "openvino"


def test_the_numbers_of_inputs_become_inputs():
    records = runtime.input_records([2, 3])
    assert [(record["name"], record["dispensable"]) for record in records] == [("0", False), ("1", False), ("2", True)]
    assert runtime.input_records(MANY[1:]) == [{"name": "0", "dispensable": False, "duplicable": True}]
    assert runtime.input_records([]) == [{"name": "0", "unknown": ["dispensable", "duplicable"]}]


def test_the_released_specs_know_every_op_by_opset():
    names = opspec_lint.releases("openvino")
    assert [name.partition("@")[2] for name in names] == ["2023.3.0", "2024.6.0", "2025.3.0"]
    for name in names:
        spec = opspec_lint.load(name)
        assert {"opset1.Convolution", "opset1.Constant", "opset8.MaxPool"} <= spec.ops.keys()
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

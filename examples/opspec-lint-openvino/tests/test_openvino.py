"""The plug-in reads models, extracts ops and predicts what `read_model` refuses."""

import json
import os
from pathlib import Path

import pytest
from opspec_lint_openvino.sources import runtime

import opspec_lint

MODEL = """<?xml version="1.0"?>
<net name="pool" version="11">
 <layers>
  <layer id="0" name="x" type="Parameter" version="opset1">
   <data shape="1,3,8,8" element_type="f32"/>
   <output><port id="0" precision="FP32"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></output>
  </layer>
  <layer id="1" name="c" type="Const" version="opset1">
   <data element_type="f32" shape="1" offset="0" size="4"/>
   <output><port id="0" precision="FP32"><dim>1</dim></port></output>
  </layer>
  <layer id="2" name="sum" type="Add" version="opset1">
   <data auto_broadcast="numpy"/>
   <input><port id="0" precision="FP32"/><port id="1" precision="FP32"/></input>
   <output><port id="2" precision="FP32"><dim>1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></output>
  </layer>
  <layer id="3" name="y" type="Result" version="opset1"><input><port id="0" precision="FP32"/></input></layer>
 </layers>
 <edges>
  <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
  <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
  <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
 </edges>
</net>
"""
ADD = {"name": "Add", "version": "opset1", "opsets": [1, 2, 3], "inputs": [2]}
BROADCAST = {"name": "auto_broadcast", "kind": "str", "enum": "Broadcast", "default": "numpy"}
ANSWER = {
    "version": "1.0.0",
    "ir_versions": [10, 11],
    "opsets": 3,
    "ops": [
        {**ADD, "attributes": [BROADCAST]},
        {"name": "Constant", "version": "opset1", "opsets": [1, 2, 3], "attributes": [], "inputs": []},
        {"name": "Parameter", "version": "opset1", "opsets": [1, 2, 3], "attributes": [], "inputs": list(range(13))},
        {"name": "Result", "version": "opset1", "opsets": [1, 2, 3], "attributes": [], "inputs": list(range(1, 13))},
    ],
    "enums": {"Broadcast": ["none", "numpy"]},
}


@pytest.fixture
def release(tmp_path, monkeypatch):
    """Write the spec of a release whose probe answers `ANSWER` with changes; return its file."""

    def write(name="old.json", **changes):
        from opspec_lint.sources.reading import Reading
        from opspec_lint.spec import canonical

        monkeypatch.setattr(runtime, "run_query", lambda *_: {**ANSWER, **changes})
        (tmp_path / name).write_text(canonical.dumps(runtime.extract("", Reading())), encoding="utf-8")
        return tmp_path / name

    return write


@pytest.fixture
def model(tmp_path):
    """Write the model with texts replaced; return its file."""

    def write(*replaced, weights=b"0000"):
        text = MODEL
        for old, new in replaced:
            assert text.count(old) >= 1
            text = text.replace(old, new)
        (tmp_path / "m.xml").write_text(text, encoding="utf-8")
        if weights is not None:
            (tmp_path / "m.bin").write_bytes(weights)
        return tmp_path / "m.xml"

    return write


def verdict(model, release):
    """Return the verdict on a model with the rules of its findings."""
    (audit,) = opspec_lint.audit(model, release).to_dict()["audits"]
    return audit["verdict"], [finding["rule"] for finding in audit["findings"]]


def test_a_model_loads(model, release):
    assert verdict(model(), release()) == ("loads", [])


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ('type="Add" version="opset1"', 'type="Add" version="opset4"', "model_op_unknown"),
        ('type="Add" version="opset1"', 'type="Fancy" version="opset1"', "model_op_unknown"),
        ('auto_broadcast="numpy"', 'auto_broadcast="pdpd"', "model_attr_value"),
        ('name="pool" version="11"', 'name="pool" version="12"', "model_header"),
        ('from-layer="1" from-port="0"', 'from-layer="9" from-port="0"', "model_wiring"),
        ('<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>', "", "model_wiring"),
        ('<port id="1" precision="FP32"/>', "", "model_input_count"),
        ('offset="0" size="4"', 'offset="4" size="4"', "model_wiring"),
        ('shape="1" offset', 'shape="7" offset', "model_wiring"),
        ('offset="0"', 'offset="none"', "model_wiring"),
    ],
)
def test_a_release_refuses_a_model(model, release, old, new, rule):
    what, rules = verdict(model((old, new)), release())
    assert what == "refused"
    assert rule in rules


def test_types_have_no_case_and_unknown_attributes_are_never_read(model, release):
    changed = model(('type="Add"', 'type="ADD"'), ('auto_broadcast="numpy"', 'auto_broadcast="NUMPY" fancy="1"'))
    assert verdict(changed, release()) == ("loads", [])


def test_weights_that_are_not_there_are_named(model, release):
    what, rules = verdict(model(weights=None), release())
    assert (what, rules) == ("refused", ["model_asset"])


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("</net>", "", "is not XML"),
        ("<net", "<!DOCTYPE a>\n<net", "is not a saved model"),
        (' id="2" name="sum"', ' name="sum"', "lacks the value 'id'"),
    ],
)
def test_a_damaged_file_is_named(model, release, old, new, problem):
    (audit,) = opspec_lint.audit(model((old, new)), release()).to_dict()["audits"]
    assert audit["verdict"] == "unreadable"
    assert problem in json.dumps(audit)


def test_two_releases_are_compared(release):
    old = release(ops=[{**ADD, "attributes": [BROADCAST]}, *ANSWER["ops"][1:]])
    new = release("new.json", enums={"Broadcast": ["numpy"]}, ops=ANSWER["ops"][:3])
    report = opspec_lint.check(old, new)
    rules = {(finding.rule, finding.op) for finding in report.findings}
    assert rules == {("allowed_values_narrowed", "opset1.Add"), ("op_removed", "opset1.Result")}
    assert report.comparisons[0].profile == "openvino"


def test_the_numbers_of_inputs_become_inputs():
    records = runtime.input_records([2, 3])
    assert [(record["name"], record["dispensable"]) for record in records] == [("0", False), ("1", False), ("2", True)]
    assert runtime.input_records(list(range(1, 13)))[-1] == {"name": "0", "dispensable": False, "duplicable": True}
    assert runtime.input_records([]) == []


def test_released_specs_are_named():
    names = opspec_lint.releases("openvino")
    assert names
    for name in names:
        spec = opspec_lint.load(name)
        assert spec.version == name.partition("@")[2]
        assert {"opset1.Convolution", "opset1.Constant", "opset8.MaxPool"} <= spec.ops.keys()


@pytest.mark.wheel
def test_a_release_is_extracted():
    python = Path(os.environ["OPSPEC_LINT_OPENVINO"]).absolute()
    spec = opspec_lint.load(f"openvino-runtime:{python}")
    assert spec.text == opspec_lint.load(f"openvino@{spec.version}").text

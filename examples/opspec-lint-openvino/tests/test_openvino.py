"""The plug-in reads models, extracts ops and predicts what `read_model` refuses."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from opspec_lint_openvino.loaders.openvino__read_model import created
from opspec_lint_openvino.models.openvino_ir import Net

import opspec_lint
from opspec_lint.models.model import Node

RELEASE = "openvino@2025.3.0"
SUM = Path(__file__).with_name("sum.xml").read_text(encoding="utf-8")
"""A model that adds a constant of four bytes to its input, by a layer `Add` of opset1."""


@pytest.fixture
def audit(tmp_path):
    """Audit the model with a text replaced."""

    def audited(old="", new="", *, weights=b"0000", against=RELEASE, loader="openvino.read_model"):
        assert old in SUM
        (tmp_path / "m.xml").write_text(SUM.replace(old, new, 1), encoding="utf-8")
        if weights is not None:
            (tmp_path / "m.bin").write_bytes(weights)
        (verdict,) = opspec_lint.audit(tmp_path / "m.xml", against, loader=loader).to_dict()["audits"]
        return verdict

    return audited


@pytest.mark.parametrize(
    ("verdict", "change", "problem"),
    [
        ("loads", ('name="y"', 'name="z"'), '"findings": []'),
        ("loads", ('type="Add"', 'type="ADD"'), '"findings": []'),
        ("loads", ('auto_broadcast="numpy"', 'auto_broadcast="NUMPY" fancy="1"'), '"findings": []'),
        ("loads", ('type="Add" version="opset1"', 'type="Add" version="opset3"'), '"findings": []'),
        ("refused", ('type="Add" version="opset1"', 'type="RNNCell" version="opset2"'), "model_op_unknown"),
        ("refused", ('type="Add" version="opset1"', 'type="Add" version="opset99"'), "model_op_unknown"),
        ("refused", ('type="Add"', 'type="Fancy"'), "model_op_unknown"),
        ("refused", ('auto_broadcast="numpy"', 'auto_broadcast="fancy"'), "model_attr_value"),
        ("refused", ('name="sum" version="11"', 'name="sum" version="12"'), "model_header"),
        ("refused", ('from-layer="1" from-port="0"', 'from-layer="9" from-port="0"'), "model_wiring"),
        ("refused", ('from-layer="0" from-port="0"', 'from-layer="2" from-port="2"'), "model_wiring"),
        ("refused", ('to-layer="2" to-port="1"', 'to-layer="2" to-port="0"'), "model_wiring"),
        ("refused", ('to-layer="2" to-port="1"', 'to-layer="2" to-port="7"'), "model_wiring"),
        ("refused", ('<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>', ""), "model_input_count"),
        ("refused", ('precision="FP32"><dim>1<', 'precision="U5"><dim>1<'), "model_wiring"),
        ("refused", ('offset="0" size="4"', 'offset="4" size="4"'), "model_wiring"),
        ("refused", ('shape="1" offset', 'shape="7" offset'), "model_wiring"),
        ("refused", ('offset="0"', 'offset="none"'), "model_wiring"),
        ("cannot_tell", ('shape="?,3"', 'shape="?,4"'), "its port FP32 of (-1, 3)"),
        ("cannot_tell", ('<port id="1"><dim>1<', '<port id="1"><dim>2<'), "state different tensors"),
        (
            "cannot_tell",
            ('Add" version="opset1"><data', 'Concat" version="opset1"><data axis="9"'),
            "unusual for sizes up to 3",
        ),
        ("cannot_tell", ('element_type="f32"/>', "/>"), "it leaves out 'element_type'"),
        ("unreadable", ("</net>", ""), "is not XML"),
        ("unreadable", ("<net", "<!DOCTYPE a>\n<net"), "declares entities"),
        ("unreadable", (' id="2" name="sum"', ' name="sum"'), "lacks the value 'id'"),
        ("unreadable", ("<dim>1<", "<dim>-5<"), "a port has the dimension -5"),
    ],
)
def test_a_changed_model_is_judged(audit, verdict, change, problem):
    judged = audit(*change)
    assert (judged["verdict"], problem in json.dumps(judged)) == (verdict, True), judged


def test_weights_that_are_not_there_are_named(audit):
    assert [finding["rule"] for finding in audit(weights=None)["findings"]] == ["model_asset"]


def test_a_small_file_is_refused_by_a_release_that_skips_its_end(audit):
    small = audit(SUM[SUM.index(" <layers>") : SUM.index("</net>")], "", against="openvino@2023.3.0")
    assert "has 59 bytes" in small["findings"][0]["message"]


def test_nobody_knows_what_a_device_compiles(audit):
    assert audit(loader="openvino.compile_model")["verdict"] == "cannot_tell"
    assert audit('type="Add"', 'type="Fancy"', loader="openvino.compile_model")["verdict"] == "refused"


def test_two_releases_are_compared():
    report = opspec_lint.check("openvino@2023.3", "openvino@2025.3")
    assert report.comparisons[0].profile == "openvino"
    assert ("attr_default_changed", "opset") in {(finding.rule, (finding.op or "")[:5]) for finding in report.findings}


@pytest.mark.parametrize("release", ["2023.3.0", "2024.6.0", "2025.3.0"])
def test_a_released_spec_knows_every_op_by_opset(release):
    assert f"openvino@{release}" in opspec_lint.releases("openvino")
    ops = opspec_lint.load(f"openvino@{release}").ops
    assert {"opset1.Convolution", "opset1.Constant", "opset8.MaxPool"} <= ops.keys()
    assert [len(ops[op].inputs) for op in ("opset1.GroupConvolution", "opset13.BitwiseNot")] == [2, 1]


def test_a_deep_graph_is_ordered_without_recursion():
    kinds = ["Parameter", *["Relu"] * 4999, "Result"]
    layers = {
        at: Node(name="", op=f"opset1.{kind}", inputs=(("0", (f"{at - 1}:1",)),) if at else (), outputs=(("", ()),))
        for at, kind in enumerate(kinds)
    }
    assert created(Net(layers=layers, tensors={}, bodies={})) == list(range(5001))


@pytest.mark.wheel
def test_a_release_is_extracted():
    python = Path(os.environ["OPSPEC_LINT_OPENVINO"]).absolute()
    spec = opspec_lint.load(f"openvino-runtime:{python}")
    assert spec.text == opspec_lint.load(f"openvino@{spec.version}").text

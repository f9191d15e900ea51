"""The default values that `--fix=unsafe` restores in C++ and YAML."""

from __future__ import annotations

import pytest

from tests.support.fixing import Fixing, changed, fixed
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS
from tests.support.trees.paddle_yaml import TREE, YAML, entry

FILE = f"{OPERATORS}/f_op.cc"


def cpp(value):
    attrs = f'AddAttr<int>("a", "of (a)").SetDefault(3);\n AddAttr<float>("b",\n "x; y")\n .SetDefault({value});'
    body = f'AddInput("X", "");\n    {attrs}'
    code = CLASS.format(name="FOpMaker", body=body)
    kernel = "class FOp : public framework::OperatorWithKernel {};\n"
    return BASE | {FILE: f"{kernel}{code}\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"}


@pytest.mark.parametrize(
    ("old", "new"), [("1.5f", "2.5f"), ("static_cast<float>(1.5)", "-1"), ("1 /* ) */", "2 // )\n"), ("0.0f", "1e-5f")]
)
def test_in_cpp(tmp_path, old, new):
    trying = Fixing(tmp_path, "paddle-source")
    result = [finding for finding in trying.findings(cpp(old), cpp(new)) if finding.rule == "attr_default_changed"]
    assert [finding.fixes[0].safety for finding in result] == ["unsafe"]
    assert fixed(cpp(new), result) == cpp(old)


@pytest.mark.parametrize(("old", "new"), [("int b = 2", "int b = 3"), ("float b = 1.0f", "float b=0.5f")])
def test_in_yaml(tmp_path, old, new):
    args = "(Tensor x, int a = 1, {}, bool c = true)"
    base, head = (BASE | TREE | {f"{YAML}/ops.yaml": entry(args=args.format(side))} for side in (old, new))
    trying = Fixing(tmp_path, "paddle-source")
    before = [finding for finding in trying.findings(base, head) if finding.rule == "attr_default_changed"]
    after = fixed(head, before)
    assert (len(before), changed(head, after)) == (1, {f"{YAML}/ops.yaml"})
    assert not [finding for finding in trying.findings(base, after) if finding.rule == "attr_default_changed"]

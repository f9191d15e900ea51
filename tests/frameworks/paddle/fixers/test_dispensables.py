"""The inputs and outputs that `--fix=unsafe` makes dispensable in C++ and YAML."""

from __future__ import annotations

import pytest

from tests.support.fixing import Fixing, changed, fixed
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS
from tests.support.trees.paddle_yaml import TREE, YAML, entry

FILE = f"{OPERATORS}/f_op.cc"
RULES = {"input_added_not_dispensable", "output_added_not_dispensable", "dispensable_cleared"}


def cpp(slots):
    code = CLASS.format(name="FOpMaker", body=f'AddInput("X", "");\n    {slots}')
    kernel = "class FOp : public framework::OperatorWithKernel {};\n"
    return BASE | {FILE: f"{kernel}{code}\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"}


def those(findings):
    return [finding for finding in findings if finding.rule in RULES]


@pytest.mark.parametrize(
    ("old", "new", "repaired"),
    [
        ("", 'AddInput("Y", "(a); b");', 'AddInput("Y", "(a); b").AsDispensable();'),
        (
            "",
            '// AddInput("Y", "a");\n    AddInput("Y", "b");',
            '// AddInput("Y", "a");\n    AddInput("Y", "b").AsDispensable();',
        ),
        ("", 'AddInput("Y", R"DOC(a") ; ()DOC");', 'AddInput("Y", R"DOC(a") ; ()DOC").AsDispensable();'),
        ("", 'AddOutput("Y",\n  "b" /* ) */ );', 'AddOutput("Y",\n  "b" /* ) */ ).AsDispensable();'),
        (
            'AddInput("Y", "b").AsDispensable();',
            'AddInput("Y", "b").AsDuplicable();',
            'AddInput("Y", "b").AsDispensable().AsDuplicable();',
        ),
    ],
)
def test_in_cpp(tmp_path, old, new, repaired):
    trying = Fixing(tmp_path, "paddle-source")
    result = those(trying.findings(cpp(old), cpp(new)))
    assert [finding.fixes[0].safety for finding in result] == ["unsafe"]
    after = fixed(cpp(new), result)
    assert after == cpp(repaired)
    assert those(trying.findings(cpp(old), after)) == []


@pytest.mark.parametrize(
    ("message", "repaired"), [("", "  optional : {}\n"), ("  optional : x  # why\n", "  optional : x, {}  # why\n")]
)
@pytest.mark.parametrize("compat", ["", "- op : f\n  inputs :\n    {x : X, y : Y}\n"])
def test_in_yaml(tmp_path, message, repaired, compat):
    trees = []
    for args in ("(Tensor x)", "(Tensor x, Tensor y)"):
        files = {f"{YAML}/ops.yaml": entry(args=args) + message, f"{YAML}/op_compat.yaml": compat}
        trees.append(BASE | TREE | files)
    trying = Fixing(tmp_path, "paddle-source")
    before = those(trying.findings(*trees))
    after = fixed(trees[1], before)
    assert (len(before), changed(trees[1], after)) == (1, {f"{YAML}/ops.yaml"})
    assert repaired.format("y") in after[f"{YAML}/ops.yaml"]
    assert those(trying.findings(trees[0], after)) == []


def test_two_of_an_entry_come_into_a_single_list(tmp_path):
    old, new = (
        BASE | TREE | {f"{YAML}/ops.yaml": entry(args=args)}
        for args in ("(Tensor x)", "(Tensor x, Tensor y, Tensor z)")
    )
    trying = Fixing(tmp_path, "paddle-source")
    tree = new
    for _ in range(2):
        tree = fixed(tree, those(trying.findings(old, tree)))
    assert "  optional : y, z\n" in tree[f"{YAML}/ops.yaml"]
    assert those(trying.findings(old, tree)) == []

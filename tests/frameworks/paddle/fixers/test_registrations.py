"""The checkpoints that `--fix=unsafe` adds for changes that no op version registers."""

from __future__ import annotations

import pytest

from tests.support.fixing import Fixing, changed, fixed
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS
from tests.support.trees.paddle_yaml import TREE, YAML, entry

FILE, VERSIONS = f"{OPERATORS}/f_op.cc", f"{YAML}/op_version.yaml"
REGISTERED = """
REGISTER_OP_VERSION(f).AddCheckpoint(
    "why; (not)", paddle::framework::compatible::OpVersionDesc().NewInput("X", "it"));
"""
CHANGES = {
    "an int": 'AddAttr<int>("b", "").SetDefault(-2);',
    "a bool": 'AddAttr<bool>("b", "").SetDefault(true);',
    "a text": 'AddAttr<std::string>("b", "").SetDefault("a\\"b");',
    "an input": 'AddInput("Y", "").AsDispensable();',
}


def cpp(more, registered):
    body = f'AddInput("X", "");\n    AddAttr<int>("a", "").SetDefault(3);\n    {more}'
    kernel = "class FOp : public framework::OperatorWithKernel {};\n"
    code = CLASS.format(name="FOpMaker", body=body)
    another = {f"{OPERATORS}/g_op.cc": "REGISTER_OP_VERSION(g);\n"}
    return BASE | another | {FILE: f"{kernel}{code}\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n{registered}"}


@pytest.mark.parametrize("registered", ["", REGISTERED], ids=["no history", "a history"])
@pytest.mark.parametrize("change", CHANGES)
def test_in_cpp(tmp_path, change, registered):
    trying = Fixing(tmp_path, "paddle-source")
    base, head = cpp("", registered), cpp(CHANGES[change], registered)
    before = [finding for finding in trying.findings(base, head) if finding.rule == "op_version_unregistered"]
    assert [finding.fixes[0].safety for finding in before] == ["unsafe"]
    after = fixed(head, before)
    assert changed(head, after) == {FILE}
    rules = {"op_version_unregistered", "op_version_names_nothing", "op_version_lost", "op_version_rewritten"}
    left = {finding.rule for finding in trying.findings(base, after)}
    assert not rules & left
    assert "op_unresolved" not in left


ENTRY = """- op : f
  version :
    - checkpoint : why
      action :
        - add_input : x
          comment : it
"""


@pytest.mark.parametrize("versions", ["", ENTRY, ENTRY.replace(" f\n", " g\n"), ENTRY.removesuffix("\n")])
@pytest.mark.parametrize("more", ["int b = 2", "bool b = true", 'str b = "text"'])
def test_in_yaml(tmp_path, versions, more):
    trying = Fixing(tmp_path, "paddle-source")
    both = BASE | TREE | {VERSIONS: versions, f"{OPERATORS}/g_op.cc": "REGISTER_OP_VERSION(z);\n"}
    base, head = (
        both | {f"{YAML}/ops.yaml": entry(args=args)}
        for args in ("(Tensor x, int a = 1)", f"(Tensor x, int a = 1, {more})")
    )
    before = [finding for finding in trying.findings(base, head) if finding.rule == "op_version_unregistered"]
    after = fixed(head, before)
    assert (len(before), changed(head, after)) == (1, {VERSIONS})
    assert after[VERSIONS].startswith(versions)
    rules = {"op_version_unregistered", "op_version_names_nothing", "op_version_lost", "op_version_rewritten"}
    assert not rules & {finding.rule for finding in trying.findings(base, after)}


TWO = (
    [cpp(more, "") for more in ("", CHANGES["an int"] + CHANGES["a text"].replace('"b"', '"c"'))],
    [
        BASE
        | TREE
        | {
            VERSIONS: "# versions\n",
            f"{OPERATORS}/g_op.cc": "REGISTER_OP_VERSION(z);\n",
            f"{YAML}/ops.yaml": entry(args=args),
        }
        for args in ("(Tensor x)", "(Tensor x, int b = 1, int c = 2)")
    ],
)


@pytest.mark.parametrize(("base", "head"), TWO, ids=["cpp", "yaml"])
def test_two_changes_of_an_op_begin_a_single_history(tmp_path, base, head):
    trying = Fixing(tmp_path, "paddle-source")
    count = []
    for _ in range(3):
        result = [finding for finding in trying.findings(base, head) if finding.rule == "op_version_unregistered"]
        count.append(len(result))
        head = fixed(head, result)
    assert count == [2, 1, 0]
    assert "yaml_entry_wrong" not in {finding.rule for finding in trying.findings(base, head)}

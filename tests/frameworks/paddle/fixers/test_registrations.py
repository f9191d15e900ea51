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


HEADER = "paddle/fluid/framework/op_version_registry.h"
INCLUDED = f'#include "{HEADER}"\n'
TOP = "/* Copyright */\n\n"
OWN = ['#include "paddle/fluid/framework/data_type.h"\n', '#include "paddle/fluid/operators/f_op.h"\n']


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{TOP}#include <string>\n\n{''.join(OWN)}", f"{TOP}#include <string>\n\n{OWN[0]}{INCLUDED}{OWN[1]}"),
        (f"{TOP}#include <string>\n{OWN[1]}", f"{TOP}#include <string>\n{INCLUDED}{OWN[1]}"),
        (f"{TOP}#include <string>\n", f"{TOP}#include <string>\n{INCLUDED}"),
        ("// Copyright\n// 2020\n\n", f"// Copyright\n// 2020\n{INCLUDED}\n"),
        (f"{TOP}{INCLUDED}", f"{TOP}{INCLUDED}"),
    ],
)
def test_the_header_of_the_macro_is_included(tmp_path, before, after):
    trying = Fixing(tmp_path, "paddle-source")
    trees = cpp("", ""), cpp(CHANGES["an int"], "")
    base, head = ({**tree, FILE: before + tree[FILE], HEADER: "// the macro\n"} for tree in trees)
    findings = [finding for finding in trying.findings(base, head) if finding.rule == "op_version_unregistered"]
    written = fixed(head, findings)[FILE]
    assert written.startswith(after)
    assert written.count(HEADER) == 1
    without = {path: text for path, text in head.items() if path != HEADER}
    unregistered = [finding for finding in trying.findings(base, without) if finding.rule == "op_version_unregistered"]
    assert fixed(without, unregistered)[FILE].startswith(before)


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

"""Changes of the patch files of a tree: whether the loader of the tree applies them, and what they do to programs."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.extract.dialect import extraction
from opspec_lint.lint.check import check
from tests.support.trees.paddle_trees import Memory
from tests.support.trees.pir_trees import spec_of, tree

FOLDER = "paddle/fluid/pir/serialize_deserialize"
OPS = """
- op : f
  args : (Tensor x, Tensor y, int a = 1)
  output : Tensor(out)
- op : g
  args : (Tensor x, Tensor y, int a = 1)
  output : Tensor(out)
- op : h
  args : (Tensor x)
  output : Tensor(out)
"""
MORE = OPS.replace("(Tensor x, Tensor y, int a = 1)", "(Tensor x, Tensor y, int a = 1, int b = 2)", 1)
ENTRY = "op_patches:\n  - {{op_name: pd_op.f, actions: [{{action: {}}}]}}\n"
ADDS = ENTRY.format("add_attr, object: b, type: pir::Int32Attribute, default: 2")
TENSOR = 'type: pir::DenseTensorType, default: [pir::Float32Type, [-1], "NCHW", [], 0]'
RENAMES = "{0}_patches:\n  - {{{0}_name: {1}, actions: [{{action: modify_name, type: {2}}}]}}\n"


def spec(ops=OPS, develop=1, release=1, key="default", **patches):
    """The spec of a tree with patch files, `patch/1.yaml` empty."""
    definitions = {"DEVELOP": develop, "RELEASE": release}
    files = {
        f"{FOLDER}/CMakeLists.txt": "\n"
        + "".join(f"add_definitions(-D{k}_VERSION={v})\n" for k, v in definitions.items()),
        f"{FOLDER}/src/patch_util.cc": f'auto new_name = action["{key}"].as<std::string>();\n',
        **{f"{FOLDER}/patch/{name[1:]}.yaml": text for name, text in {"_1": "", **patches}.items() if text is not None},
    }
    spec = extraction.extract(Memory(tree(ops, "", files)))
    return spec_of(spec)


def errors(base, head):
    left_out = ("attr_added_with_default",)
    findings = check(base, head).findings
    return {
        finding.rule: finding
        for finding in findings
        if finding.level in ("error", "warning") and finding.rule not in left_out
    }


def rules(base, head):
    return sorted(set(errors(base, head)) - {"head_program_refused"})


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ({"_0": ADDS}, ["attr_added_unpatched", "patch_not_applied"]),
        ({"_1": ADDS}, ["attr_added_unpatched", "patch_of_release_changed"]),
        ({"_2": ADDS}, ["attr_added_unpatched", "patch_not_applied"]),
        ({"_0": ADDS, "develop": 0}, []),
        ({"_2": ADDS, "develop": 2, "release": 2}, []),
        ({"_2": ADDS, "develop": 2}, ["attr_added_unpatched", "patch_missing", "patch_not_applied"]),
        ({"_2": ADDS, "develop": 0}, ["attr_added_unpatched", "patch_missing", "patch_not_applied"]),
        ({"develop": 0}, ["attr_added_unpatched", "patch_missing"]),
        ({"_0": ADDS.replace("default", "data"), "develop": 0}, ["attr_added_unpatched", "patch_unread"]),
        ({"_0": ADDS.replace("default", "data"), "develop": 0, "key": "data"}, []),
    ],
)
def test_an_entry_repairs_a_change_where_the_loader_applies_it(versions, expected):
    assert rules(spec(), spec(MORE, **versions)) == expected


@pytest.mark.parametrize(
    ("versions", "place"),
    [
        ({}, f"1. in {FOLDER}/patch/0.yaml, under `op_patches:`, write `"),
        ({"develop": 0, "_0": ""}, f"in {FOLDER}/patch/0.yaml, under `op_patches:`, write `"),
        ({"develop": 2, "release": 2, "_2": ""}, f"in {FOLDER}/patch/2.yaml, under `op_patches:`, write `"),
    ],
)
@pytest.mark.parametrize("key", ["data", "default"])
def test_the_advice_states_where_the_entry_goes_and_has_the_key_of_the_tree(versions, place, key):
    advice = errors(spec(), spec(MORE, key=key, **versions))["attr_added_unpatched"].advice
    assert advice.startswith(place)
    assert f"object: b, type: pir::Int32Attribute, {key}: 2" in advice
    entry = f"op_patches:\n  {advice[advice.index('- {op_name') :].partition('`')[0]}\n"
    is_raised = f"; 2. in {FOLDER}/CMakeLists.txt, write `add_definitions(-DDEVELOP_VERSION=0)`" in advice
    assert is_raised is (versions == {})
    applied = {"develop": 0, "_0": entry} if "0.yaml" in place else {**versions, "_2": entry}
    assert rules(spec(), spec(MORE, key=key, **applied)) == []


def test_an_entry_that_is_hidden_by_one_of_a_release_is_not_advised():
    base = spec(develop=2, release=2, _2=ENTRY.format("delete_attr, object: gone"))
    head = spec(MORE, develop=0, release=2, _2=ENTRY.format("delete_attr, object: gone"), _0=ADDS)
    attr_added_unpatched = errors(base, head)["attr_added_unpatched"]
    assert "make a new op" in attr_added_unpatched.advice
    assert "patch/2.yaml has an entry for 'pd_op.f'" in attr_added_unpatched.advice


def test_an_entry_that_was_put_into_the_file_of_a_release_is_advised_for_the_next_version():
    attr_added_unpatched = errors(spec(), spec(MORE, _1=ADDS))["attr_added_unpatched"]
    assert attr_added_unpatched.advice.startswith(f"1. in {FOLDER}/patch/0.yaml, under `op_patches:`, write `")


def test_a_missing_file_is_reported_where_the_versions_are():
    patch_missing = errors(spec(), spec(develop=0, _1=None))["patch_missing"]
    assert (patch_missing.head_origin.file, patch_missing.head_origin.line) == (f"{FOLDER}/CMakeLists.txt", 2)


def test_a_release_is_cut():
    base = spec(MORE, develop=0, _0=ADDS)
    assert rules(base, spec(MORE, develop=2, release=2, _2=ADDS)) == []
    assert rules(base, spec(MORE, develop=2, release=2, _2="")) == ["patch_dropped"]
    assert rules(base, spec(MORE, develop=2, release=2, _0=ADDS, _2="")) == ["patch_dropped", "patch_not_applied"]
    assert rules(base, spec(OPS, develop=0, _0="")) == []
    assert rules(base, spec(MORE, develop=1, _0=ADDS)) == ["patch_dropped", "patch_not_applied"]


def test_a_change_whose_patch_came_before_is_compared_with_programs_of_the_last_release():
    base = spec(MORE, develop=0, _0=ADDS)
    more = MORE.replace("int b = 2", "int b = 2, int c = 3")
    assert rules(base, spec(more, develop=0, _0=ADDS)) == ["attr_added_unpatched"]
    both = ADDS.replace("]}", ", {action: add_attr, object: c, type: pir::Int32Attribute, default: 3}]}")
    assert rules(base, spec(more, develop=0, _0=both)) == []


@pytest.mark.parametrize(
    ("patch", "rule", "message"),
    [
        (ENTRY.format("delete_input, object: 1"), "patch_breaks_op", "it has 1 inputs, not 2"),
        (ENTRY.format("delete_input, object: 5"), "patch_breaks_op", "it has no input 5"),
        (ENTRY.format(f"add_output, object: 0, {TENSOR}"), "patch_breaks_op", "it has 2 outputs, not 1"),
        (ENTRY.format("modify_name, default: pd_op.none"), "patch_breaks_op", "it becomes 'pd_op.none', which is not"),
        (ENTRY.format("modify_name, default: pd_op.h"), "patch_breaks_op", "it has 2 inputs, not 1"),
        (ENTRY.format("modify_name, default: pd_op.g"), "patch_rewrites_op", "it becomes 'pd_op.g'"),
        (ENTRY.format("modify_attr_name, object: a, default: b"), "patch_without_effect", "has no attr 'b'"),
        (ENTRY.format("delete_attr, object: a"), "patch_without_effect", "has the attr 'a'"),
        (
            ENTRY.format("modify_attr, object: a, type: pir::Int32Attribute, default: 7"),
            "patch_rewrites_op",
            "its attr 'a' becomes 7",
        ),
        (
            ENTRY.format("modify_attr, object: a, type: pir::Int64Attribute"),
            "patch_without_effect",
            "the patch makes it pir::Int64Attribute",
        ),
        (ENTRY.format(f"modify_output_type, object: 0, {TENSOR}"), "patch_not_judged", "modify_output_type 0"),
        (ENTRY.format(f"modify_output_type, object: 3, {TENSOR}"), "patch_breaks_op", "it has no output 3"),
        (ENTRY.format("delete_output_attr, object: stop_gradient"), "patch_not_judged", "delete_output_attr"),
        (ENTRY.format("delete_attr, object: a").replace("pd_op.f", "onednn_op.f"), "patch_of_other_dialect", "onednn"),
        (ENTRY.format("delete_attr, object: a").replace("pd_op.f", "pd_op.ff"), "patch_names_nothing", "pd_op.ff"),
        (
            RENAMES.format("type", "pir::Float32Type", "pir::Float64Type"),
            "patch_types_changed",
            "become pir::Float64Type",
        ),
        (
            RENAMES.format("attr", "pir::Int32Attribute", "pir::Int64Attribute"),
            "patch_types_changed",
            "attrs of type pir::Int32Attribute become pir::Int64Attribute",
        ),
    ],
)
@pytest.mark.parametrize("file", [0, 2])
def test_a_patch_file_that_changes_alone_is_judged_by_what_it_does_to_older_programs(patch, rule, message, file):
    after = {"develop": file, "release": max(1, file), f"_{file}": patch}
    result = errors(spec(), spec(**after))
    assert message in result[rule].message
    assert result[rule].head_origin.file == f"{FOLDER}/patch/{file}.yaml"
    assert set(result) <= {rule, "patch_breaks_op", "patch_not_judged"}
    assert errors(spec(**after), spec(**after)) == {}


def test_a_pair_of_ops_is_judged_for_each_of_them():
    action = f"action: add_value, object: [1, 2], {TENSOR}"
    pair = f"op_pair_patches:\n  - {{op_pair: [pd_op.h, pd_op.f], actions: [{{{action}}}]}}\n"
    result = [
        finding for finding in check(spec(), spec(develop=0, _0=pair)).findings if finding.rule == "patch_breaks_op"
    ]
    assert [(item.op, item.message.partition(": ")[2]) for item in result] == [
        ("pd_op.f", "it has 3 inputs, not 2"),
        ("pd_op.h", "it has 2 outputs, not 1"),
    ]
    fitting = OPS.replace("(Tensor x)\n  output : Tensor(out)", "(Tensor x)\n  output : Tensor(out), Tensor(more)")
    fitting = fitting.replace("(Tensor x, Tensor y, int a = 1)", "(Tensor x, Tensor y, Tensor z, int a = 1)", 1)
    assert rules(spec(), spec(fitting, develop=0, _0=pair)) == []


def test_types_that_patches_replace_are_waited_for_until_base_has_them():
    retyped = RENAMES.format("attr", "pir::Int32Attribute", "pir::Int64Attribute")
    base = spec(develop=0, _0=retyped)
    assert rules(spec(), base) == ["patch_types_changed"]
    assert rules(base, base) == []
    assert rules(base, spec(develop=2, release=2, _2=retyped)) == []
    patch_types_changed = errors(base, spec(develop=0, _0=""))["patch_types_changed"]
    assert "no longer become pir::Int64Attribute" in patch_types_changed.message
    assert rules(base, spec(develop=0, _0=retyped.replace("Int64", "Index"))) == ["patch_types_changed"]


@pytest.mark.parametrize("text", ["", "add_definitions(-DDEVELOP_VERSION=x)"])
def test_a_tree_before_there_were_patches_has_none(text):
    spec = extraction.extract(Memory(tree(OPS, "", {f"{FOLDER}/CMakeLists.txt": text})))
    made = spec_of(spec)
    assert (made.graph_versions, made.loading) == (None, {"reads_patches": False})
    assert [remark for remark in made.remarks if "patch" in remark.event] == []


def test_no_patch_is_advised_in_a_tree_without_a_loader_of_patches():
    base, head = (spec_of(extraction.extract(Memory(tree(ops, "")))) for ops in (OPS, MORE))
    (finding,) = (finding for finding in check(base, head).findings if finding.rule == "attr_added_unpatched")
    assert finding.advice == "make a new op, and leave this one as it is; the tree has no loader that reads patches"
    assert not finding.fixes

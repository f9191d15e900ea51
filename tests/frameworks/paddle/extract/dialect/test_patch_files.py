"""The reading of files of patches, in a tree and in a library."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.extract.dialect import patch_library
from opspec_lint.frameworks.paddle.extract.dialect.patch_files import parse
from opspec_lint.frameworks.paddle.extract.dialect.patches import collect_patches
from opspec_lint.frameworks.paddle.saved.pir.patches import LoaderVersions
from tests.support.trees.pir_trees import REFER
from tests.support.trees.pir_trees import library as make_library

ALL = """
op_patches:
  - op_name : pd_op.f
    actions:
      - {action: add_attr, object: a, type: "pir::Int32Attribute", data: 1}
      - {action: modify_attr, object: b, type: "pir::ArrayAttribute", data: [{type: "pir::Int64Attribute"}]}
      - {action: delete_attr, object: c}
      - {action: modify_attr_name, object: d, data: e}
      - {action: add_output_attr, object: stop, type: "pir::BoolAttribute", data: "false"}
      - {action: modify_output_type, object: 0, type: "pir::Float32Type"}
      - {action: delete_input, object: 1}
      - {action: add_output, object: 2, type: "pir::DenseTensorType", data: [pir::Float32Type, [-1], "NCHW", [], 0]}
      - {action: modify_name, data: pd_op.g}
op_pair_patches:
  - op_pair : [pd_op.f, pd_op.h]
    actions:
      - {action: add_value, object: [1, 2], type: "pir::DenseTensorType", data: [pir::Float32Type, [-1], "NCHW", [], 0]}
attr_patches:
  - attr_name: "pir::Int32Attribute"
    actions: [{action: modify_name, type: "pir::Int64Attribute"}]
type_patches:
  - type_name: "pir::Int32Type"
    actions: [{action: delete_type}]
"""


def _action(action, of="op_name: pd_op.f"):
    section = of.partition(":")[0].replace("_name", "")
    return f"{section}_patches:\n- {of}\n  actions: [{{action: {action}}}]"


def test_all_kinds_of_actions():
    parsed = parse(ALL, "patch/2.yaml", 2)
    assert parsed.problems == ()
    of_f = [action.action for action in parsed.actions if action.op == "pd_op.f"]
    assert [(action.kind, action.target) for action in of_f] == [
        ("add_attr", "a"),
        ("modify_attr", "b"),
        ("delete_attr", "c"),
        ("modify_attr_name", "d"),
        ("add_output_attr", "stop"),
        ("modify_output_type", 0),
        ("delete_input", 1),
        ("add_output", 2),
        ("modify_name", None),
        ("add_value", (1, 2)),
    ]
    assert [action.type for action in of_f[:2]] == ["pir::Int32Attribute", "pir::ArrayAttribute<pir::Int64Attribute>"]
    assert (of_f[0].data, of_f[1].data, of_f[3].data, of_f[4].data) == (1, None, "e", "false")
    assert {action.action.version for action in parsed.actions} == {2}
    assert [action.op for action in parsed.actions if action.action.pair] == ["pd_op.f", "pd_op.h"]
    assert [item[:3] for item in parsed.retyped] == [
        ("attr", "pir::Int32Attribute", "pir::Int64Attribute"),
        ("type", "pir::Int32Type", ""),
    ]
    assert parsed.actions[1].line == 6


def test_a_second_entry_of_an_op_is_not_read():
    entry = "- {op_name: pd_op.f, actions: [{action: delete_attr, object: a}]}\n"
    parsed = parse(f"op_patches:\n{entry}{entry}{entry.replace('pd_op.f', 'pd_op.g')}", "patch/2.yaml", 2)
    assert [action.op for action in parsed.actions] == ["pd_op.f", "pd_op.g"]
    assert [(problem.op, problem.line) for problem in parsed.problems] == [("pd_op.f", 3)]
    assert "the first entry of an op only" in parsed.problems[0].problem


@pytest.mark.parametrize("text", ["", "op_patches:\n", "# nothing\n"])
def test_a_file_without_patches(text):
    parsed = parse(text, "patch/1.yaml", 1)
    assert (parsed.actions, parsed.problems) == ((), ())


@pytest.mark.parametrize(
    "action",
    [
        *("Int64Attribute', data: -3", "DoubleAttribute', data: 1e-5", "DoubleAttribute', data: '.inf'"),
        *("FloatAttribute', data: 1", "BoolAttribute', data: 'false'", "StrAttribute', data: 3"),
        "ArrayAttribute', data: [{type: 'pir::Int32Attribute', data: 3}]",
    ],
)
def test_values_of_attrs(action):
    parsed = parse(_action(f"add_attr, object: a, type: 'pir::{action}"), "patch/2.yaml", 2)
    assert (parsed.problems, len(parsed.actions)) == ((), 1)


@pytest.mark.parametrize(("version", "key", "works"), [(2, "data", True), (1, "default", False), (0, "data", True)])
@pytest.mark.parametrize(("kind", "value"), [("IntArray", "[1, 2]"), ("Place", '[0, 0, ""]')])
def test_attrs_that_only_later_loaders_make(version, key, works, kind, value):
    parsed = parse(
        _action(f"add_attr, object: a, type: 'paddle::dialect::{kind}Attribute', {key}: {value}"), "f.yaml", version
    )
    assert (not parsed.problems, bool(parsed.actions)) == (works, works)


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("op_patches: 3", "it is no list", 1),
        ("- op_patches", "it is no mapping", 1),
        ("op_patchs: []", "reads no patches of this kind", 1),
        ("op_patches:\n- actions: [{action: delete_attr, object: a}]", "does not name its op", 2),
        ("op_patches:\n- {op_name: pd_op.f}", "it has no actions", 2),
        ("op_patches:\n- op_name: pd_op.f\n  actions: [{object: a}]", "does not say what it does", 2),
        ("op_patches:\n- op_name: pd_op.f\n  actions:\n  - {action: add_input, object: 0}", "knows no action", 4),
        ("op_patches:\n- op_name: pd_op.f\n  actions: [{action: delete_input, object: x}]", "is not the place", 3),
        ("op_patches:\n- op_name: pd_op.f\n  actions: [{action: modify_attr, object: a}]", "does not say the type", 3),
        (
            "op_patches:\n- op_name: pd_op.f\n  actions: [{action: add_attr, object: a, type: 'pir::BoolAttribute'}]",
            "has to be given its value",
            3,
        ),
        (
            "op_patches:\n- op_name: f\n  actions: [{action: modify_attr, object: a, type: 'x::ScalarAttribute'}]",
            "can make no attr of type",
            3,
        ),
        (_action("add_output, object: 1"), "does not say the type", 3),
        (_action("modify_output_type, object: 1"), "does not say the type", 3),
        (_action("add_output, object: 1, type: 'pir::DenseTensorType'"), "is not the list of a tensor's type", 3),
        (_action("modify_name, default: pd_op.g"), "under `data`, not under `default`", 3),
        (_action("add_attr, object: a, type: 'pir::Int32Attribute', default: 1"), "under `data`, not", 3),
        (
            _action("add_attr, object: a, type: 'pir::Int32Attribute', data: abc"),
            "'abc' is no value of type",
            3,
        ),
        (_action("add_attr, object: a, type: 'pir::Int64Attribute', data: 1.5"), "'1.5' is no value of type", 3),
        (_action("add_attr, object: a, type: 'pir::BoolAttribute', data: 1"), "'1' is no value of type", 3),
        (
            _action("add_attr, object: a, type: 'pir::ArrayAttribute', data: [{type: 'pir::FloatAttribute', data: x}]"),
            "'x' is no value of type pir::FloatAttribute",
            3,
        ),
        (_action("add_value, object: [0, 1]", "op_pair: [pd_op.f, pd_op.g]"), "does not say the type", 3),
        ("op_pair_patches:\n- {op_pair: [pd_op.f]}", "does not name two ops", 2),
        ("op_patches: [", "it is not valid YAML", 2),
        ("op_patches: &a []", "it has an anchor", 1),
    ],
)
def test_what_the_loader_does_not_read_is_a_problem(text, problem, line):
    parsed = parse(text, "patch/2.yaml", 2)
    assert parsed.actions == ()
    assert problem in parsed.problems[0].problem
    assert parsed.problems[0].line == line


@pytest.mark.parametrize("key", ["data", "default"])
@pytest.mark.parametrize(
    "action",
    [
        "modify_name",
        "modify_attr_name, object: a",
        "add_attr, object: a, type: 'pir::BoolAttribute'",
        "add_output, object: 1, type: 'pir::DenseTensorType'",
    ],
)
def test_a_missing_value_is_named_by_the_key_that_the_loader_reads(key, action):
    (problem,) = parse(_action(action), "patch/2.yaml", 2, key).problems
    assert f"`{key}`" in problem.problem


def test_the_texts_in_a_library():
    two, three = "\nop_patches:\n  - op_name : pd_op.f\n    actions: []\n", "attr_patches:\n"
    data = b"\0ELF no op_patches: here\0" + two.encode() + b"\0\0code\0" + three.encode() + b"\0"
    assert patch_library.patch_documents(data) == {data.index(two.encode()): two, data.index(three.encode()): three}
    assert patch_library.patch_documents(b"\0nothing\0") == {}


A, B = (f"op_patches:\n  - {{op_name: pd_op.{op}, actions: [{{action: delete_attr, object: a}}]}}\n" for op in "fg")


@pytest.mark.parametrize(
    "files", [{0: A, 1: "", 2: B}, {1: "", 2: A, 3: B}, {1: "", 2: "", 3: B}, {1: "", 10: A, 2: B}]
)
def test_the_numbers_of_the_texts_in_a_library_are_those_that_its_code_puts_next_to_them(files):
    data = make_library(patches=files)
    assert patch_library.texts_by_number(data, patch_library.patch_documents(data)) == files


@pytest.mark.parametrize("damage", [(REFER, b"\x48\x8d\x3d"), (b"\x7fELF", b"MZ\0\0"), (b"\x003\0", b"\0x\0")])
def test_numbers_that_the_code_does_not_show_are_not_known(damage):
    data = make_library(patches={1: "", 2: A, 3: B}).replace(*damage)
    documents = patch_library.patch_documents(data)
    assert set(documents.values()) == {A, B}
    assert patch_library.texts_by_number(data, documents) is None


@pytest.mark.parametrize(("key", "another"), [("data", "default"), ("default", "data")])
def test_the_key_of_values_is_what_the_loader_of_the_tree_reads(key, another):
    listed = "add_attr, object: a, type: 'pir::ArrayAttribute', {}: [{{type: 'pir::Int32Attribute', {}: 3}}]"
    for outer, inner in ((key, key), (key, another), (another, another)):
        parsed = parse(_action(listed.format(outer, inner)), "patch/0.yaml", 0, key)
        problem = f"the loader reads the value of an action under `{key}`, not under `{another}`"
        assert [problem.problem for problem in parsed.problems] == ([] if (outer, inner) == (key, key) else [problem])


def test_further_actions_of_a_renamed_op_name_the_former_op():
    text = (
        "op_patches:\n- op_name: pd_op.f\n  actions:\n  - {action: modify_name, data: pd_op.g}\n"
        '  - {action: modify_attr, object: a, type: "pir::Int64Attribute", data: 1}\n'
    )
    collected = collect_patches(LoaderVersions(develop=2, release=2), "data", [parse(text, "2.yaml", 2)], ["pd_op.g"])
    assert collected.remarks == []
    assert [(action["kind"], action["of"]) for action in collected.actions_by_op["pd_op.g"]] == [
        ("modify_name", "pd_op.f"),
        ("modify_attr", "pd_op.f"),
    ]

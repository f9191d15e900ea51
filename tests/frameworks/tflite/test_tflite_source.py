"""A whole TFLite tree as a spec: at a revision, in the index, in a folder; what is not there is unknown."""

from __future__ import annotations

import json

import pytest

from opspec_lint.frameworks.tflite.extract import resolvers
from opspec_lint.frameworks.tflite.sources import source
from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.sources import references
from opspec_lint.sources.formats import opspec
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec import canonical
from opspec_lint.spec.model import UNKNOWN
from tests.support.programs import run
from tests.support.repositories import Repository
from tests.support.trees import tflite_trees as trees

SOURCE = SOURCES.load("tflite-source")

READING = Reading(caches=False)


@pytest.fixture(autouse=True)
def _nothing_was_read_before():
    source._READ_FILES.clear()


HEXAGON = """bool CheckOpVersion(const TfLiteRegistration* registration) {
  switch (registration->builtin_code) {
    case kTfLiteBuiltinAdd:
      return registration->version <= 2;
    default:
      return registration->version == 1;
  }
}

bool IsNodeSupportedByHexagon(const TfLiteRegistration* registration) {
  switch (registration->builtin_code) {
    case kTfLiteBuiltinAdd:
      return true;
    default:
      return false;
  }
}
"""


def read(folder, tree):
    return SOURCE.spec(str(trees.write(folder, tree)), READING)


def versions(op):
    return op.min_version, op.max_version


def test_what_a_tree_states_of_an_op(tmp_path):
    spec = read(tmp_path, trees.TREE)
    assert list(spec.ops) == ["ADD", "CONV_2D", "CUSTOM", "CUSTOM:Mine", "RESHAPE"]
    conv = spec.ops["CONV_2D"]
    assert versions(conv) == (1, 2)
    assert conv.own == {
        "reference_min_version": 1,
        "reference_max_version": 2,
        "written_versions": (1, 2),
        "conditions": {"2": "op_sig.inputs.at(0).type == kTfLiteInt8"},
        "oldest_runtimes": {"1": "1.5.0", "2": "2.3.0"},
        "delegates": {"gpu": None, "nnapi": 2},
        "options": "Conv2DOptions",
    }
    assert [(attr.name, attr.type, attr.default_value, attr.get("slot")) for attr in conv.attrs] == [
        ("padding", "tflite.Padding", 0, 0),
        ("stride_w", "int", 1, 1),
        ("bias", "int", 0, 2),
    ]
    assert spec.remarks == ()
    assert spec.binding == "op_version"


def test_where_a_tree_states_it(tmp_path):
    conv = read(tmp_path, trees.TREE).ops["CONV_2D"]
    assert {field: (place.file, place.line) for field, place in conv.places.items()} == {
        "min_version": (trees.KERNELS, 5),
        "max_version": (trees.KERNELS, 5),
        "reference_min_version": (trees.REFERENCE, 3),
        "reference_max_version": (trees.REFERENCE, 3),
        "written_versions": (trees.WRITTEN, 6),
        "written_versions.1": (trees.WRITTEN, 8),
        "written_versions.2": (trees.WRITTEN, 6),
        "conditions": (trees.WRITTEN, 6),
        "oldest_runtimes": (trees.RUNTIMES, 7),
        "oldest_runtimes.1": (trees.RUNTIMES, 6),
        "oldest_runtimes.2": (trees.RUNTIMES, 7),
        "delegates": (trees.GPU, 19),
        "delegates.gpu": (trees.GPU, 19),
        "delegates.nnapi": (trees.NNAPI, 5),
        "options": (trees.SCHEMA, 16),
    }
    assert [(attr.origin.file, attr.origin.line) for attr in conv.attrs] == [
        (trees.SCHEMA, line) for line in (17, 18, 20)
    ]


def test_an_op_without_a_kernel_has_no_versions(tmp_path):
    custom = read(tmp_path, trees.TREE).ops["CUSTOM"]
    assert versions(custom) == (None, None)
    assert custom.get("written_versions") is None
    reshape = read(tmp_path, trees.TREE).ops["RESHAPE"]
    assert versions(reshape) == (1, 1)
    assert reshape.get("reference_max_version") is None
    assert reshape.get("written_versions") is None
    assert reshape.get("options") is None


def test_a_custom_op_has_versions_and_nothing_else(tmp_path):
    mine = read(tmp_path, trees.TREE).ops["CUSTOM:Mine"]
    assert versions(mine) == (1, 1)
    assert mine.own == {"reference_min_version": None, "reference_max_version": None}
    assert (mine.attrs, mine.origin.line) == ((), 8)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('  AddCustom("Mine", Register_MINE());\n', "", [("op_removed", "error")]),
        ('"Mine"', '"Other"', [("op_added", "note"), ("op_removed", "error")]),
        ('("Mine", Register_MINE())', '("Mine", Register_MINE(), 1, 2)', [("max_version_raised", "note")]),
    ],
)
def test_a_change_of_a_custom_op(tmp_path, before, after, expected):
    base, head = (
        trees.write(tmp_path / side, {**trees.TREE, trees.KERNELS: text})
        for side, text in (
            ("old", trees.TREE[trees.KERNELS]),
            ("new", trees.TREE[trees.KERNELS].replace(before, after)),
        )
    )
    report = json.loads(run("check", f"tflite-source:{base}", f"tflite-source:{head}", "--format", "json").out)
    findings = [finding for finding in report["findings"] if finding["op"].startswith("CUSTOM:")]
    assert sorted((finding["rule"], finding["level"]) for finding in findings) == expected


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        (trees.KERNELS, ("min_version", "max_version")),
        (trees.REFERENCE, ("reference_min_version", "reference_max_version")),
        (trees.WRITTEN, ("written_versions", "conditions")),
        (trees.RUNTIMES, ("oldest_runtimes",)),
        (trees.SCHEMA, ("options",)),
    ],
)
def test_what_a_missing_file_would_state_is_unknown(tmp_path, path, fields):
    spec = read(tmp_path, trees.without(path))
    assert {"ADD", "CONV_2D", "RESHAPE"} <= set(spec.ops)
    for op in spec.ops.values():
        assert [op.get(field) for field in fields] == [UNKNOWN] * len(fields)
        whole = read(tmp_path, trees.TREE).ops[op.name]
        others = {field: value for field, value in whole.own.items() if field not in fields}
        assert {field: op.own.get(field, UNKNOWN) for field in others} == others


def test_a_missing_file_is_knowledge_lost_and_no_removal(tmp_path):
    for name, tree in (("base", trees.TREE), ("head", trees.without(trees.KERNELS, trees.SCHEMA))):
        trees.write(tmp_path / name, tree)
    checked = run("check", f"tflite-source:{tmp_path}/base", f"tflite-source:{tmp_path}/head", "--format", "json")
    assert checked.code == 0, checked.out
    parts = {line.split('"')[3] for line in checked.out.splitlines() if '"rule": "' in line}
    assert "knowledge_lost" in parts
    assert not parts & {"kernel_removed", "max_version_lowered", "slot_removed", "op_removed"}


@pytest.mark.parametrize(
    ("path", "old", "new", "field"),
    [
        (trees.KERNELS, "Register_CONV_2D(), 1, 2)", "Register_CONV_2D(), 1, Most())", "max_version"),
        (
            trees.KERNELS,
            "AddBuiltin(BuiltinOperator_CONV_2D",
            "other.AddBuiltin(BuiltinOperator_CONV_2D",
            "max_version",
        ),
        (trees.REFERENCE, "Register_CONV_REF(), 1, 2)", "Register_CONV_REF(), kLeast, 2)", "reference_max_version"),
        (trees.WRITTEN, "        return 2;\n", "        return Newest();\n", "written_versions"),
        (trees.RUNTIMES, '           "2.3.0"}', "           kComing}", "oldest_runtimes"),
    ],
)
def test_what_is_no_literal_is_unknown_and_stated_with_its_line(tmp_path, path, old, new, field):
    tree = trees.changed(path, (old, new))
    spec = read(tmp_path, tree)
    assert spec.ops["CONV_2D"].get(field) is UNKNOWN
    assert spec.ops["ADD"].get(field) not in (UNKNOWN, None)
    (remark,) = spec.remarks
    line = tree[path][: tree[path].index(new.strip().partition("(")[0])].count("\n") + 1
    assert (remark.event, remark.op, remark.origin.file) == ("versioning_unread", "CONV_2D", path)
    assert abs(remark.origin.line - line) <= 1
    checked = run("validate", f"tflite-source:{tmp_path}", "--no-cache")
    assert f"{path}:{remark.origin.line}: a statement about the versions of 'CONV_2D' cannot be read" in checked.out


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("1, 2)", "1, 1 + 1)", (1, 2)),
        ("1, 2)", "kFirst, kLast)", (1, 3)),
        ("1, 2);", "1, 2);\n  AddBuiltin(BuiltinOperator_CONV_2D, nullptr, 1, 7);", (1, 2)),
        ("AddBuiltin(BuiltinOperator_CONV_2D", "this->AddBuiltin(BuiltinOperator_CONV_2D", (1, 2)),
        ("Register_CONV_2D(), 1, 2)", "nullptr, 1, 2)", (None, None)),
    ],
)
def test_versions_of_constants_and_kernels_that_are_null(tmp_path, old, new, expected):
    kernels = trees.TREE[trees.KERNELS]
    begin = kernels.index("AddBuiltin(BuiltinOperator_CONV_2D")
    end = kernels.index(";", begin) + 1
    constants = "constexpr int kFirst = 1;\nconstexpr int kLast = kFirst + 2;\n"
    statement = kernels[begin:end]
    assert old in statement
    text = kernels[:begin] + statement.replace(old, new) + kernels[end:]
    place = text.index("BuiltinOpResolver::BuiltinOpResolver")
    tree = trees.TREE | {trees.KERNELS: text[:place] + constants + text[place:]}
    spec = read(tmp_path, tree)
    assert not list(spec.remarks)
    assert (spec.ops["CONV_2D"].get("min_version"), spec.ops["CONV_2D"].get("max_version")) == expected


ADD = """AddBuiltin(BuiltinOperator_ADD, Register_ADD(),
             /* min_version = */ 1,
             /* max_version = */ 2);"""
WHOLE = trees.TREE[trees.KERNELS]
INCLUDED = {
    "a statement": (WHOLE.replace(ADD, '#include "add.inc"'), "add.inc", f"\n{ADD}"),
    "all of it": ('#include "tflite/core/kernels/all.inc"\n', "all.inc", f"\n{WHOLE}"),
    "of a header": (WHOLE.replace(ADD, '#include "add.h"'), "add.h", f"#pragma once\n{ADD}"),
}


@pytest.mark.parametrize("case", INCLUDED)
def test_a_resolver_has_the_ops_of_the_files_that_it_includes(tmp_path, case):
    text, name, included = INCLUDED[case]
    path = f"tflite/core/kernels/{name}"
    spec = read(tmp_path, {**trees.TREE, trees.KERNELS: text, path: included})
    assert versions(spec.ops["ADD"]) == versions(read(tmp_path / "plain", trees.TREE).ops["ADD"])
    line = included[: included.index("BuiltinOperator_ADD")].count("\n") + 1
    assert (spec.ops["ADD"].places["max_version"].place, spec.remarks) == (f"{path}:{line}", ())


def test_a_resolver_that_includes_what_the_tree_lacks_is_remarked(tmp_path):
    spec = read(tmp_path, {**trees.TREE, trees.KERNELS: WHOLE.replace(ADD, '#include "gone.inc"')})
    assert [(remark.event, remark.origin.line) for remark in spec.remarks] == [("versioning_unread", 2)]


def test_a_link_to_a_file_of_the_tree_is_followed(tmp_path):
    plain = read(tmp_path, trees.TREE)
    (tmp_path / trees.KERNELS).rename(tmp_path / "tflite/moved.txt")
    (tmp_path / trees.KERNELS).symlink_to("../../moved.txt")
    linked = SOURCE.spec(str(tmp_path), Reading(caches=False))
    assert [versions(op) for op in linked.ops.values()] == [versions(op) for op in plain.ops.values()]
    assert linked.ops["ADD"].places["max_version"].file == "tflite/moved.txt"


def test_straight_code_is_not_analysed(monkeypatch):
    """Names that only look like a macro, and a message with the word `this`, cost every tree an analysis."""
    monkeypatch.setattr(resolvers, "_analyse_conditions", lambda *_: pytest.fail("the file was analysed"))
    text = trees.TREE[trees.KERNELS].replace("Register_ADD()", "Register_NUMERIC_VERIFY()")
    assert "Register_NUMERIC_VERIFY" in text
    text += 'const char* kMessage = "not supported by this interpreter";\n'
    assert resolvers.read(text) == resolvers.read(trees.TREE[trees.KERNELS])


@pytest.mark.parametrize(
    ("statement", "before"),
    [
        ("for (const Row& row : kRows) AddBuiltin(row.op, row.kernel(), row.first, row.last);", ""),
        ("ADD(CONV_2D, 1, 2);", "#define ADD(op, a, b) AddBuiltin(BuiltinOperator_##op, Register_##op(), a, b)\n"),
        ("AddConvolutions(this);", ""),
        ("AddAll(OtherResolver());", ""),
        ("builtins_.clear();", ""),
    ],
)
def test_what_may_register_any_op_is_an_error(tmp_path, statement, before):
    kernels = trees.TREE[trees.KERNELS]
    begin = kernels.index("AddBuiltin(BuiltinOperator_CONV_2D")
    end = kernels.index(";", begin) + 1
    place = kernels.index("BuiltinOpResolver::BuiltinOpResolver")
    text = kernels[:place] + before + kernels[place:begin] + statement + kernels[end:]
    spec = read(tmp_path / "read", trees.TREE | {trees.KERNELS: text})
    assert spec.ops["CONV_2D"].get("max_version") is UNKNOWN
    assert spec.ops["ADD"].get("max_version") not in (UNKNOWN, None)
    for name, tree in (("base", trees.TREE), ("head", trees.TREE | {trees.KERNELS: text})):
        trees.write(tmp_path / name, tree)
    checked = run("check", f"tflite-source:{tmp_path}/base", f"tflite-source:{tmp_path}/head")
    assert checked.code == 1
    assert "versioning_unread" in checked.out


def test_a_tree_is_the_same_at_a_revision_in_the_index_and_in_a_folder(tmp_path):
    repository = Repository.make(tmp_path / "r", trees.TREE)
    folder = trees.write(tmp_path / "f", trees.TREE)
    texts = []
    for argument in (f"{repository.top}@HEAD", f"{repository.top}@:index", str(repository.top), str(folder)):
        source._READ_FILES.clear()
        spec = SOURCE.spec(argument, READING.replace(environment=repository.environment))
        texts.append(canonical.dumps(spec.replace(provenance=spec.provenance.replace(commit=None))))
    assert len(set(texts)) == 1


def test_every_revision_states_what_it_states(tmp_path):
    repository = Repository.make(tmp_path / "r", trees.TREE)
    newer = trees.changed(trees.KERNELS, ("Register_CONV_2D(), 1, 2)", "Register_CONV_2D(), 1, 3)"))
    repository.commit({trees.KERNELS: newer[trees.KERNELS]})
    reading = READING.replace(environment=repository.environment)
    for revision, most in (("HEAD~1", 2), ("HEAD", 3), ("HEAD~1", 2)):
        assert SOURCE.spec(f"{repository.top}@{revision}", reading).ops["CONV_2D"].max_version == most


def test_what_was_read_is_used_again_and_only_where_it_is_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first, newer = trees.TREE, trees.changed(trees.KERNELS, ("Register_CONV_2D(), 1, 2)", "Register_CONV_2D(), 1, 3)"))
    texts = {}
    for caches in (False, True, True):
        for name, tree in (("first", first), ("newer", newer)):
            source._READ_FILES.clear()
            folder = trees.write(tmp_path / name, tree)
            spec = SOURCE.spec(str(folder), Reading(caches=caches, environment={"XDG_CACHE_HOME": str(tmp_path)}))
            text = canonical.dumps(spec)
            assert texts.setdefault(name, text) == text
    assert texts["first"] != texts["newer"]


def test_a_spec_file_of_a_tree_is_the_same_spec(tmp_path):
    spec = read(tmp_path, trees.TREE)
    file = tmp_path / "spec.json"
    file.write_text(canonical.dumps(spec), encoding="utf-8")
    again = references.resolve(str(file), READING).spec
    assert canonical.dumps(again) == canonical.dumps(spec)
    assert opspec.likeness({"opspec": 1})
    assert run("check", file, f"tflite-source:{tmp_path}", "--profile", "strict").code == 0


def moved(tree, **folders):
    """The tree with other folders."""
    result = {}
    for path, text in tree.items():
        for old, new in folders.values():
            path = path.replace(old, new, 1) if path.startswith(old) else path  # noqa: PLW2901
        result[path] = text
    return result


@pytest.mark.parametrize(
    "folders",
    [
        {"one": ("tflite/converter/", "tensorflow/lite/"), "two": ("tflite/", "tensorflow/lite/")},
        {"one": ("tflite/converter/", "tensorflow/compiler/mlir/lite/"), "two": ("tflite/", "tensorflow/lite/")},
        {"one": ("tflite/converter/", "tflite/"), "two": ("tflite/core/kernels/", "tflite/kernels/")},
    ],
)
def test_the_layouts_of_different_releases(tmp_path, folders):
    own, reference = (
        read(tmp_path / name, tree) for name, tree in (("a", trees.TREE), ("b", moved(trees.TREE, **folders)))
    )
    assert canonical.dumps(own) == canonical.dumps(reference)


def test_a_file_that_only_includes_another_states_nothing(tmp_path):
    forwards = {
        "tflite/core/c/builtin_op_data.h": '#include "tflite/converter/core/c/builtin_op_data.h"\n',
        "tflite/converter/core/c/builtin_op_data.h": trees.TREE[trees.STRUCTS],
        "tensorflow/lite/core/kernels/register.cc": "// moved to tflite\n",
    }
    spec = read(tmp_path, trees.TREE | forwards)
    assert {attr.get("unstored") for attr in spec.ops["CONV_2D"].attrs} == {False}


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        (
            trees.GENERATED,
            "VT_BIAS = 8",
            "VT_BIAS = 10",
            "'BIAS' of 'Conv2DOptions' has the slot 3 there, and the slot 2",
        ),
        (trees.GENERATED, "VT_KEEP = 4", "", "'KEEP' of 'AddOptions' has no slot there, and the slot 0 in the schema"),
        (trees.GENERATED, "Padding_VALID = 1", "Padding_VALID = 2", "'VALID' of 'Padding' has the number 2 there, and"),
        (trees.SCHEMA, "RESHAPE = 22", "RESHAPE = 23", "'RESHAPE' of 'BuiltinOperator' has the number 22 there, and"),
        (trees.SCHEMA, "  AddOptions,\n", "", "'AddOptions' of 'BuiltinOptions' has the number 2 there, and no number"),
    ],
)
def test_generated_code_that_is_not_of_the_schema(tmp_path, path, old, new, message):
    spec = read(tmp_path, trees.changed(path, (old, new)))
    (remark,) = spec.remarks
    assert remark.event == "generated_schema_stale"
    assert message in remark.facts["reason"]
    assert remark.origin.file == trees.GENERATED


def test_what_is_no_tree_is_a_single_message(tmp_path):
    (tmp_path / "README").touch()
    with pytest.raises(NothingThereError, match="it has no file that states op versions"):
        SOURCE.spec(str(tmp_path), READING)
    with pytest.raises(InputError, match="there is no folder"):
        SOURCE.spec(str(tmp_path / "none"), READING)


def test_a_damaged_schema_is_a_single_message_with_its_line(tmp_path):
    trees.write(tmp_path, trees.changed(trees.SCHEMA, ("  bias:int;", "  bias:int")))
    ran = run("extract", f"tflite-source:{tmp_path}", "--no-cache")
    assert ran.code == 3
    assert f"{trees.SCHEMA}" in ran.err
    assert "line 2" in ran.err
    assert "Traceback" not in ran.err


def test_line_ends_of_windows_change_nothing(tmp_path):
    tree = trees.TREE | {"tflite/delegates/hexagon/utils.cc": HEXAGON}
    unix = read(tmp_path / "unix", tree)
    source._READ_FILES.clear()
    folder = trees.write(tmp_path / "windows", {})
    for path, text in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.replace("\n", "\r\n").encode())
    windows = SOURCE.spec(str(folder), READING)
    assert unix.ops["ADD"].own["delegates"]["hexagon"] == 2
    assert {name: windows.ops[name] for name in windows.ops} == {name: unix.ops[name] for name in unix.ops}
    assert windows.remarks == unix.remarks == ()

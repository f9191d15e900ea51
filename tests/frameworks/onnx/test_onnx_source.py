"""The schemas of a source tree of ONNX: what C++ says of each, what cannot be told, and what a change of it means."""

from __future__ import annotations

import sys

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.frameworks.onnx.sources import source
from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.lint.check import check, report
from opspec_lint.report.reporters.text import render
from opspec_lint.sources import references
from opspec_lint.sources.cache import MemoryStore
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.sources.trees import open_tree
from opspec_lint.spec import canonical
from opspec_lint.spec.model import UNKNOWN
from tests.support.programs import run
from tests.support.repositories import Repository
from tests.support.trees import onnx_trees as trees

SOURCE = SOURCES.load("onnx-source")

READING = Reading(caches=False)


def read(folder, tree=trees.TREE):
    return SOURCE.spec(str(trees.write(folder, tree)), READING)


def attrs(op):
    return {attr.name: (attr.type, attr.default_value, attr.own["required"]) for attr in op.attrs}


def test_a_tree_states_the_schemas_that_its_operator_sets_list(tmp_path):
    spec = read(tmp_path)
    assert list(spec.ops) == ["F@1", "G@1", "G@2", "ai.onnx.ml::M@3"]
    assert spec.provenance.version == "1.30.0"
    assert spec.loading == {"ir_version": 12, "opsets": {"ai.onnx": 9, "ai.onnx.ml": 3}}
    assert [(remark.event, remark.op) for remark in spec.remarks] == [("schema_unlisted", "Draft@1")]


def test_what_a_tree_states_of_a_schema(tmp_path):
    op = read(tmp_path).ops["F@1"]
    assert [(argument.name, argument.type, argument.dispensable, argument.duplicable) for argument in op.inputs] == [
        ("A", "T", False, False),
        ("B", "tensor(int64)", True, False),
        ("rest", "V", False, True),
    ]
    assert attrs(op) == {
        "required": ("INT", None, True),
        "absent": ("STRING", None, False),
        "alpha": ("FLOAT", 0.5, False),
        "mode": ("STRING", "first", False),
        "steps": ("INTS", (1, -2), False),
        "table": ("TENSOR", "TensorProto", False),
    }
    assert op.own["type_constraints"] == {
        "T": ("tensor(float)", "tensor(float16)"),
        "V": ("seq(tensor(float))", "tensor(bfloat16)", "tensor(float)", "tensor(string)"),
    }
    assert op.own["arity"] == {"inputs": {"min": 2, "is_homogeneous": False}}
    assert (op.own["has_function"], op.own["deprecated"]) == (True, False)
    assert (op.origin.file, op.origin.line) == (trees.DEFS, 11)


@pytest.mark.parametrize("header", ["more.h", "more.inc"])
@pytest.mark.parametrize("is_inside", [True, False])
def test_a_schema_in_an_included_header_is_read(tmp_path, header, is_inside):
    start, end = trees.TREE[trees.DEFS].index("ONNX_ML_OPERATOR_SET_SCHEMA("), trees.TREE[trees.DEFS].rindex("}")
    schema = trees.TREE[trees.DEFS][start:end]
    path = f"{trees.DEFS.rpartition('/')[0]}/{header}"
    if is_inside:
        moved = trees.changed(trees.DEFS, schema, f'\n#include "{header}"\n')
        moved[path] = f"\n{schema}"
    else:
        moved = trees.changed(trees.DEFS, schema, f'}}\n#include "{path}"\nnamespace ONNX_NAMESPACE {{\n')
        moved[path] = f"namespace ONNX_NAMESPACE {{\n{schema}\n}}\n"
    base, head = read(tmp_path / "base"), read(tmp_path / "head", moved)
    assert (head.ops["ai.onnx.ml::M@3"].origin.file, head.ops["ai.onnx.ml::M@3"].origin.line) == (path, 2)
    assert not check(base, head).findings
    renamed = {**moved, path: moved[path].replace("tensor(float)", "tensor(double)")}
    changed = check(head, read(tmp_path / "changed", renamed))
    assert {finding.op for finding in changed.findings} == {"ai.onnx.ml::M@3"}
    # What no source includes, no build compiles.
    unused = {**moved, trees.DEFS: moved[trees.DEFS].replace("#include", "//")}
    assert "ai.onnx.ml::M@3" not in read(tmp_path / "unused", unused).ops


def test_a_source_that_is_a_symbolic_link_hides_its_schemas_and_removes_none(tmp_path):
    base = read(tmp_path / "base")
    head = trees.write(tmp_path / "head", trees.TREE)
    (head / trees.DEFS).rename(head / "schemas.txt")
    (head / trees.DEFS).symlink_to(head / "schemas.txt")
    findings = check(base, SOURCE.spec(str(head), READING)).findings
    # The opsets are those of the ops that are known.
    assert [(finding.rule, finding.name) for finding in findings] == [
        ("loading_changed", None),
        ("op_unresolved", trees.DEFS),
    ]
    (head / trees.DEFS).unlink()
    (head / trees.DEFS).symlink_to("../" * trees.DEFS.count("/") + "schemas.txt")
    followed = SOURCE.spec(str(head), READING)
    assert not check(base, followed).findings
    assert followed.ops["ai.onnx.ml::M@3"].origin.file == "schemas.txt"


def test_functions_of_different_files_fill_a_schema(tmp_path):
    spec = read(tmp_path)
    assert spec.ops["G@1"].own["type_constraints"] == {"T": ("tensor(bfloat16)", "tensor(float)")}
    assert attrs(spec.ops["G@1"]) == {}
    assert spec.ops["G@2"].own["type_constraints"] == {"T": ("tensor(float)", "tensor(int64)")}
    assert attrs(spec.ops["G@2"]) == {"axes": ("INTS", None, False)}
    assert [spec.ops[op].own["deprecated"] for op in ("G@1", "G@2")] == [False, True]
    assert [output.name for output in spec.ops["ai.onnx.ml::M@3"].outputs] == ["Y"]


def test_the_version_converter_states_what_it_converts(tmp_path):
    spec = read(tmp_path)
    assert spec.ops["G@2"].own["adapters"] == ("down",)
    assert spec.ops["G@1"].get("adapters") is UNKNOWN
    shared = "G_1_2(const std::string& op) : Adapter(op, OpSetID(1), OpSetID(2)) {}"
    more = {trees.ADAPTER: trees.TREE[trees.ADAPTER] + shared}
    more[trees.CONVERTER] = trees.TREE[trees.CONVERTER] + 'registerAdapter(std::make_unique<G_1_2>("G"));'
    assert read(tmp_path / "shared", {**trees.TREE, **more}).ops["G@2"].own["adapters"] == ("up", "down")
    without = {path: text for path, text in trees.TREE.items() if "version_converter" not in path}
    assert read(tmp_path / "without", without).ops["G@2"].get("adapters") is UNKNOWN


UNRESOLVED = {
    "a method that is not known": ('.Attr("required"', '.Frobnicate().Attr("required"', "the method Frobnicate is not"),
    "a default that is not told": (
        "AttributeProto::FLOAT, kDefault",
        "AttributeProto::FLOAT, Elsewhere()",
        "Elsewhere",
    ),
    "a constant that changes": (
        "static float kDefault = 0.5;",
        "static float kDefault = 0.5; int g = kDefault++;",
        "k",
    ),
    "a type of attribute that is none": ("AttributeProto::INT)", "AttributeProto::COMPLEX)", "AttributeProto::COMPLEX"),
    "types that are not told": ('{"tensor(float)", "tensor(float16)"}', "Types(3)", "Types"),
    "another beginning": ("F, 1, OpSchema()\n", "F, 1, MakeSchema()\n", "it does not begin with OpSchema()"),
    "a missing input": ('.Input(0, "A"', '.Input(5, "A"', "one of the inputs is missing"),
    "a loop without an end": ("  return t;", "  for (;;) { t = t; }\n  return t;", "steps"),
    "a position in a list that has changed": (
        "t.insert(",
        "auto b = t.begin(); t.clear(); t.insert(b, ",
        "the variable t is changed",
    ),
}


@pytest.mark.parametrize("case", UNRESOLVED.values(), ids=UNRESOLVED)
def test_what_cannot_be_determined_is_reported_by_name(tmp_path, case):
    old, new, reason = case
    spec = read(tmp_path, trees.changed(trees.DEFS, old, new))
    assert [(remark.event, remark.op, remark.origin.file) for remark in spec.remarks[:-1]] == [
        ("op_unresolved", "F@1", trees.DEFS),
    ]
    assert reason in spec.remarks[0].facts["reason"]
    assert "F@1" not in spec.ops
    assert "G@1" in spec.ops


def test_a_condition_that_is_not_reported_leaves_the_schemas_unresolved_that_depend_on_it(tmp_path):
    spec = read(tmp_path, trees.changed(trees.UTILS_CODE, "if (with_axes)", "if (Flag())"))
    unresolved = [remark for remark in spec.remarks if remark.event == "op_unresolved"]
    assert [remark.op for remark in unresolved] == ["G@1", "G@2"]
    assert {(remark.origin.file, remark.origin.line) for remark in unresolved} == {(trees.UTILS_CODE, 10)}


def test_of_overloads_the_one_is_called_that_takes_the_values(tmp_path):
    both = """
static std::string Listed(std::string one) { return "seq(" + one + ")"; }
static std::vector<std::string> Listed(const std::vector<std::string>& all) {
  std::vector<std::string> out;
  for (const auto& each : all) { out.push_back(Listed(each)); }
  return out;
}
static std::vector<std::string> all_kinds() {"""
    tree = trees.changed(trees.DEFS, "static std::vector<std::string> all_kinds() {", both)
    tree[trees.DEFS] = tree[trees.DEFS].replace("auto lists = OpSchema::lists_too()", "auto lists = Listed(t)")
    spec = read(tmp_path, tree)
    assert spec.ops["F@1"].own["type_constraints"]["V"] == (
        "seq(tensor(bfloat16))",
        "seq(tensor(float))",
        "tensor(bfloat16)",
        "tensor(float)",
        "tensor(string)",
    )


def test_a_tree_without_schemas_is_reported(tmp_path):
    with pytest.raises(NothingThereError, match="operator_sets"):
        read(tmp_path, {"README.md": "x"})
    with pytest.raises(InputError, match="IR_VERSION"):
        read(tmp_path / "b", trees.changed(trees.PROTO, "IR_VERSION = 0x000000000000000C;", ""))


def test_index_and_revision_are_trees_too(tmp_path):
    repository = Repository.make(tmp_path / "r", trees.TREE)
    first = references.resolve(f"onnx-source:{repository.top}@HEAD", READING).spec
    repository.stage(trees.changed(trees.DEFS, '"C", "text", "T"', '"D", "text", "T"'))
    staged = references.resolve(f"onnx-source:{repository.top}@:index", READING).spec
    assert [spec.ops["F@1"].outputs[0].name for spec in (first, staged)] == ["C", "D"]


def test_what_an_earlier_tree_stated_is_used_as_long_as_its_files_are_the_same(tmp_path, monkeypatch):
    store, followed = MemoryStore(), []
    from opspec_lint.frameworks.onnx.extract import tree as reader

    plain = reader.Filler.chain
    monkeypatch.setattr(reader.Filler, "chain", lambda *given: followed.append(given) or plain(*given))

    def opened(tree):
        trees.write(tmp_path, tree)
        with open_tree(
            "onnx-source", str(tmp_path), (".cc", ".h", ".inc", ".def", ".proto", "VERSION_NUMBER"), READING
        ) as files:
            return canonical.dumps(source.read(files, "x", READING, store))

    first = opened(trees.TREE)
    assert followed
    followed.clear()
    assert opened(trees.TREE) == first
    assert not followed
    for path, old, new in (
        (trees.SCHEMA_CODE, "TensorProto::FLOAT,", "TensorProto::FLOAT, TensorProto::INT64,"),
        (trees.UTILS, "with_axes = false", "with_axes = true"),
        (trees.UTILS_CODE, "OpSchema::Single", "OpSchema::Optional"),
        (trees.PROTO, "INTS = 7", "INTS = 8"),
        (trees.SCHEMA, "OPTIONAL_VALUE = false", "OPTIONAL_VALUE = true"),
        (trees.SETS, "Onnx, 1, F", "Onnx, 1, Draft"),
    ):
        tree = trees.changed(path, old, new)
        assert opened(tree) == canonical.dumps(read(tmp_path, tree)), path


def line_of(file, text):
    """Return the line of the small tree that contains a text."""
    return trees.TREE[file].partition(text)[0].count("\n") + 1


@pytest.mark.parametrize(
    ("file", "old", "new", "place"),
    [
        (trees.DEFS, '"B", "text", types::Int64', '"B", "text", "T"', '"B", "text"'),
        (trees.DEFS, '"C", "text", "T"', '"C", "text", "V"', '"C", "text"'),
        (trees.DEFS, "AttributeProto::FLOAT, kDefault", "AttributeProto::FLOAT, 2.0f", '"alpha"'),
        (trees.DEFS, '    .Attr("absent", "text", AttributeProto::STRING, OPTIONAL_VALUE)\n', "", '"absent"'),
        (trees.UTILS_CODE, '"axes", "text", AttributeProto::INTS', '"axes", "text", AttributeProto::INT', '"axes"'),
        (trees.SETS, "    fn(GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 1, F)>());\n", "", None),
    ],
)
def test_a_finding_has_the_line_of_the_argument(tmp_path, file, old, new, place):
    base, head = (
        read(tmp_path / name, tree) for name, tree in (("a", trees.TREE), ("b", trees.changed(file, old, new)))
    )
    expected = (
        (file, line_of(file, place)) if place else (trees.DEFS, line_of(trees.DEFS, "ONNX_OPERATOR_SET_SCHEMA(F"))
    )
    places = {(fact.origins[0].file, fact.origins[0].line) for fact in diff(base, head) if fact.op}
    assert places == {expected}


def test_a_change_of_a_published_schema_is_refused_with_its_line(tmp_path):
    repository = Repository.make(tmp_path / "r", trees.TREE)
    repository.stage(trees.changed(trees.DEFS, '{"tensor(float)", "tensor(float16)"}', '{"tensor(float)"}'))
    done = run("check", f"onnx-source:{repository.top}@HEAD", f"onnx-source:{repository.top}@:index")
    assert done.code == 1
    assert "types_narrowed" in done.out
    line = line_of(trees.DEFS, '.TypeConstraint("T", {')
    assert f"head {trees.DEFS}:{line}" in done.out


def test_a_new_version_without_an_adapter_is_a_note(tmp_path):
    base = {**trees.TREE, trees.SETS: trees.TREE[trees.SETS].replace("2, G", "2, Later")}
    trees.write(tmp_path / "base", base)
    trees.write(tmp_path / "head", {**trees.TREE, trees.SCHEMA: trees.TREE[trees.SCHEMA].replace("(1, 9)", "(1, 10)")})
    done = run("check", f"onnx-source:{tmp_path / 'base'}", f"onnx-source:{tmp_path / 'head'}", "--op", "G@2")
    assert "the version converter has no adapter from G@1 " in done.out
    assert "back to" not in done.out


def test_a_version_that_base_could_not_evaluate_is_not_new(tmp_path):
    unread = trees.changed(trees.DEFS, '.Attr("required"', '.Frobnicate().Attr("required"')
    base, head = trees.write(tmp_path / "base", unread), trees.write(tmp_path / "head", trees.TREE)
    done = run("check", f"onnx-source:{base}", f"onnx-source:{head}")
    assert done.code == 0
    assert "op_added_late" not in done.out


def test_init_finds_a_tree_of_onnx(tmp_path):
    repository = Repository.make(tmp_path / "r", trees.TREE)
    done = repository.run(sys.executable, "-m", "opspec_lint", "init")
    assert "onnx-source:. (4 ops of onnx)" in done.stdout
    assert "onnx-source:." in (repository.top / "opspec-lint.toml").read_text()


DRAFT = """fn(GetOpSchema<ONNX_OPERATOR_SET_SCHEMA_CLASS_NAME(Onnx, 9, H)>());
  }
};"""
H = """
ONNX_OPERATOR_SET_SCHEMA(H, 9, OpSchema().Input(0, "A", "", "T").Attr("mode", "", AttributeProto::INT, OPTIONAL_VALUE)
    .TypeConstraint("T", {"tensor(float)"}, ""));
"""


def with_draft(released, code=H):
    """Return a tree with H@9, which opset 8 or 9 was released before."""
    states = f"last_release_version_map_[ONNX_DOMAIN] = {released};\nlast_release_version_map_[AI_ONNX_ML_DOMAIN] = 3;"
    listed = trees.TREE[trees.SETS].replace("  }\n};", DRAFT) if code else trees.TREE[trees.SETS]
    return {
        **trees.TREE,
        trees.SCHEMA: trees.TREE[trees.SCHEMA].replace("namespace types {", f"{states}\nnamespace types {{"),
        trees.SETS: listed,
        trees.DEFS: trees.TREE[trees.DEFS].replace("ONNX_ML_OPERATOR", f"{code}ONNX_ML_OPERATOR", 1),
    }


def events(tmp_path, base, head):
    specs = [read(tmp_path / name, tree) for name, tree in (("base", base), ("head", head))]
    return sorted((fact.event, fact.op) for fact in diff(*specs) if fact.op)


def test_a_tree_states_the_last_release_by_domain(tmp_path):
    assert read(tmp_path, with_draft(8)).loading["released"] == {"ai.onnx": 8, "ai.onnx.ml": 3}


CHANGED = H.replace("INT, OPTIONAL_VALUE", "FLOAT, OPTIONAL_VALUE")


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        (with_draft(8), with_draft(8, CHANGED), [("development_changed", "H@9")]),
        (with_draft(8), with_draft(8, ""), [("development_removed", "H@9")]),
        (with_draft(9), with_draft(9, CHANGED), [("attr_type_changed", "H@9")]),
        (with_draft(9), with_draft(9, ""), [("op_removed", "H@9")]),
        (with_draft(8, ""), with_draft(8), [("op_added", "H@9"), ("version_added", "H@9")]),
        (with_draft(9, ""), with_draft(9), [("op_added", "H@9"), ("op_added_late", "H@9")]),
        # A base that is older than the release, and a head that is.
        (with_draft(8), with_draft(9, CHANGED), [("attr_type_changed", "H@9")]),
        (with_draft(9), with_draft(8, CHANGED), [("attr_type_changed", "H@9")]),
        # A tree that does not state the release freezes everything.
        (
            trees.TREE,
            trees.TREE | {trees.SETS: trees.TREE[trees.SETS].replace("1, F", "7, F")},
            [("op_removed", "F@1")],
        ),
    ],
)
def test_schemas_above_the_last_release_may_change(tmp_path, base, head, expected):
    assert events(tmp_path, base, head) == expected


def unlisted(tmp_path, base, head):
    specs = [read(tmp_path / name, tree) for name, tree in (("base", base), ("head", head))]
    return [
        (finding.rule, finding.level, finding.op, finding.head_origin and finding.head_origin.line)
        for finding in check(*specs).findings
        if finding.kind == "op"
    ]


def test_a_new_schema_that_no_operator_set_lists_is_not_silent(tmp_path):
    forgotten = with_draft(8) | {trees.SETS: trees.TREE[trees.SETS]}
    line = 1 + forgotten[trees.DEFS].split("ONNX_OPERATOR_SET_SCHEMA(H")[0].count("\n")
    warning = ("schema_unlisted", "warning", "H@9", line)
    assert unlisted(tmp_path / "new", with_draft(8, ""), forgotten) == [warning]
    assert warning in unlisted(tmp_path / "taken from its set", with_draft(8), forgotten)
    # A schema that base declares and does not list either is nobody's contract, whatever its text.
    edited = forgotten | {trees.DEFS: forgotten[trees.DEFS].replace("INT, OPTIONAL_VALUE", "FLOAT, OPTIONAL_VALUE")}
    assert unlisted(tmp_path / "edited", forgotten, edited) == []
    dead = forgotten | {trees.DEFS: forgotten[trees.DEFS].replace(H, f"\n#if 0{H}#endif\n")}
    assert unlisted(tmp_path / "dead", with_draft(8, ""), dead) == []


def test_a_change_of_a_published_schema_names_the_next_opset(tmp_path):
    specs = [read(tmp_path / name, with_draft(9, code)) for name, code in (("base", H), ("head", CHANGED))]
    (finding,) = check(*specs).findings
    assert finding.message.endswith(" (the next opset of ai.onnx is 10)")


def test_a_version_that_is_late_names_the_published_opsets_and_not_the_next(tmp_path):
    late = {
        path: text.replace("H, 9", "H, 8").replace("Onnx, 9, H", "Onnx, 8, H") for path, text in with_draft(8).items()
    }
    specs = [read(tmp_path / "base", with_draft(8, "")), read(tmp_path / "head", late)]
    assert specs[0].loading["opsets"]["ai.onnx"] == 9
    (message,) = [finding.message for finding in check(*specs).findings if finding.rule == "op_added_late"]
    assert "base has published the opsets up to 8: " in message


def test_a_removed_op_is_not_at_the_line_of_another_op(tmp_path):
    specs = [read(tmp_path / name, with_draft(9, code)) for name, code in (("base", H), ("head", ""))]
    lines = render(report(check(*specs))).splitlines()
    assert [line.split()[0] for line in lines if f" {trees.DEFS}:" in line] == ["base"]


def test_an_opset_in_development_may_be_given_up(tmp_path):
    lower = {
        name: text.replace("std::make_pair(1, 9)", "std::make_pair(1, 8)") for name, text in with_draft(8, "").items()
    }
    specs = read(tmp_path / "base", with_draft(8)), read(tmp_path / "head", lower)
    assert "limit_lowered" not in {fact.event for fact in diff(*specs)}

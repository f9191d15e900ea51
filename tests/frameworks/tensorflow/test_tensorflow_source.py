"""Ops of a source tree of TensorFlow: registrations, strings that OpDefBuilder rejects, and unresolved ones."""

from __future__ import annotations

import random
import sys

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.frameworks.tensorflow.extract import op_defs, op_lists
from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.frameworks.tensorflow.extract.source import registrations
from opspec_lint.frameworks.tensorflow.extract.source.builder import Builder
from opspec_lint.frameworks.tensorflow.sources import source
from opspec_lint.kit.errors import NothingThereError, UsageError
from opspec_lint.lint.check import check
from opspec_lint.sources import references
from opspec_lint.sources.cache import MemoryStore
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.sources.trees import open_tree
from opspec_lint.spec import canonical
from opspec_lint.spec.model import UNKNOWN, GraphVersions, Origin
from tests.support import written_registrations
from tests.support.programs import run
from tests.support.released_specs import released
from tests.support.repositories import Repository
from tests.support.trees import tensorflow_trees as trees

SOURCE = SOURCES.load("tensorflow-source")
READING = Reading(caches=False)


def read(folder, tree=trees.TREE):
    return SOURCE.spec(str(trees.write(folder, tree)), READING)


def op_of(folder, chain, before=""):
    """Return the op that a chain builds, and what the reading remarks."""
    spec = read(folder, trees.registering(f'{before}\nREGISTER_OP("Op"){chain};'))
    return spec.ops.get("Op"), [item.facts["reason"] for item in spec.remarks]


def attrs(op):
    return {item.name: (item.type, item.default_value, item.allowed_values, item.minimum) for item in op.attrs}


def arguments(every):
    return [
        (item.name, item.type, item.type_attr, item.number_attr, item.type_list_attr, item.is_ref) for item in every
    ]


def test_ops_of_a_tree(tmp_path):
    spec = read(tmp_path)
    assert list(spec.ops) == ["Handle", "Neg", "Pool", "QuantizedNeg", "RandomUniform", "RandomWhole"]
    assert spec.provenance.version == "1.9.2-rc1"
    assert spec.graph_versions == GraphVersions(
        producer=26, min_consumer=4, min_producer=3, producer_since="2018-01-07"
    )
    assert (spec.binding, spec.remarks) == ("signature", ())


def test_a_source_that_is_a_symbolic_link_hides_its_ops_and_removes_none(tmp_path):
    base = read(tmp_path / "base")
    head = trees.write(tmp_path / "head", trees.TREE)
    (head / trees.OPS).rename(head / "ops.txt")
    (head / trees.OPS).symlink_to(head / "ops.txt")
    findings = check(base, SOURCE.spec(str(head), READING)).findings
    assert [(finding.rule, finding.head_origin.file) for finding in findings] == [("op_unresolved", trees.OPS)]
    (head / trees.OPS).unlink()
    (head / trees.OPS).symlink_to("../../../ops.txt")
    assert check(base, SOURCE.spec(str(head), READING)).findings == ()


LISTED = """#define OP(NAME, IN) REGISTER_OP(NAME).Input(IN);
namespace tensorflow {
#include "some_list.def"
}
"""
INCLUDED = {
    "a header": ("z.h", '#pragma once\nnamespace tensorflow {{\nREGISTER_OP("Z").Input("x: {}");\n}}\n', ""),
    "a text in a namespace": ("z.inc", '\n\nREGISTER_OP("Z").Input("x: {}");', "namespace tensorflow {\n%s\n}"),
    "a list": ("some_list.def", '\n\nOP("Z", "x: {}")\n', LISTED),
}


@pytest.mark.parametrize("case", INCLUDED)
def test_an_op_of_an_included_file_is_an_op_of_the_source(tmp_path, case):
    path, text, around = INCLUDED[case]
    include = f'#include "tensorflow/core/ops/{path}"'
    source = trees.TREE[trees.OPS] + (around.replace("%s", include) or include)

    def of(name, kind):
        own = {trees.OPS: source, f"tensorflow/core/ops/{path}": text.format(kind)}
        return read(tmp_path / name, {**trees.TREE, **own})

    spec = of("base", "float")
    assert spec.ops["Z"].origin.place == f"tensorflow/core/ops/{path}:3"
    assert [finding.event for finding in check(spec, of("head", "int32")).findings] == ["argument_type_changed"]


def test_a_list_that_is_not_in_the_tree_is_remarked(tmp_path):
    spec = read(tmp_path, {**trees.TREE, trees.OPS: trees.TREE[trees.OPS] + '\n#include "gone.def"\n'})
    last = trees.TREE[trees.OPS].count("\n") + 2
    assert [(remark.origin.line, remark.facts["reason"]) for remark in spec.remarks] == [
        (last, 'it includes "gone.def", which is not in the tree')
    ]


def test_declaration_of_an_op(tmp_path):
    op = read(tmp_path).ops["Pool"]
    assert arguments(op.inputs) == [("x", None, "T", None, None, False)]
    assert attrs(op) == {
        "padding": ("string", None, ("SAME", "VALID"), None),
        "mode": ("string", "a", ("a", "b"), None),
        "T": ("type", "float", ("float", "float", "int32", "complex64"), None),
    }
    assert (op.summary, op.description, op.inputs[0].description) == ("Pools.", "Much text.", "the input\nof it.")
    assert [item.origin.line for item in (op, *op.inputs, *op.attrs)] == [10, 11, 13, 14, 15]
    assert op.origin == Origin(file=trees.OPS, line=10, column=1)


def test_macros_count_as_they_are_at_the_place(tmp_path):
    ops = read(tmp_path).ops
    assert attrs(ops["Neg"])["T"][2] == ("float", "int64")
    assert attrs(ops["QuantizedNeg"])["T"][2] == ("qint8",)
    assert (ops["QuantizedNeg"].deprecation, ops["QuantizedNeg"].deprecation_version) == ("Use Neg", 20)
    assert ops["RandomWhole"].outputs[0].type == "int64"
    assert attrs(ops["RandomWhole"])["seed"][1] == 0
    assert ops["RandomWhole"].origin.line == 43


def test_flags(tmp_path):
    op = read(tmp_path).ops["Handle"]
    assert op.own == {
        "control_outputs": ("done",),
        "is_stateful": True,
        "is_commutative": True,
        "is_aggregate": True,
        "allows_uninitialized_input": False,
        "is_distributed_communication": False,
    }


def test_a_fork_may_have_data_types_of_its_own(tmp_path):
    types = "const DataTypeSet kNumberTypes = ToSet(DT_FLOAT) | ToSet(DT_POSIT);"
    proto = "enum DataType {\n  DT_FLOAT = 1;\n  // DT_OLD = 99;\n  DT_POSIT = 77;\n  DT_POSIT_REF = 177;\n}"
    chain = (
        '.Input("x: T").Input("y: posit").Attr("T: numbertype = DT_POSIT").Attr("S: list({posit, int8}) = [DT_POSIT]")'
    )
    tree = trees.registering(f'REGISTER_OP("Op"){chain};REGISTER_OP("Old").Input("x: old");')
    spec = read(tmp_path, tree | {trees.TYPES: types, "tensorflow/core/framework/types.proto": proto})
    op = spec.ops["Op"]
    assert (op.inputs[1].type, op.invalid) == ("77", None)
    assert attrs(op) == {"T": ("type", "77", ("float", "77"), None), "S": ("list(type)", ("77",), ("77", "int8"), None)}
    assert "Reference to unknown attr 'old'" in spec.ops["Old"].invalid


def test_functions_for_shapes_and_types_are_no_part_of_an_op(tmp_path):
    op, remarks = op_of(tmp_path, '.Output("y: float").SetShapeFn(F).SetForwardTypeFn(G).SetReverseTypeFn(0, H(1))')
    assert (op.outputs[0].type, remarks) == ("float", [])


def test_lines_may_end_with_a_carriage_return(tmp_path):
    header = '#define REGISTER_HANDLE_OP(Type) \\\n  REGISTER_OP(#Type "Handle") \\\n  .SetIsStateful()\n'
    text = '#include "tensorflow/core/ops/handle.h"\nREGISTER_HANDLE_OP(Tree);\n'
    files = {"tensorflow/core/ops/handle.h": header, trees.OPS: text}
    spec = read(tmp_path, trees.TREE | {path: text.replace("\n", "\r\n") for path, text in files.items()})
    assert (spec.ops["TreeHandle"].origin.line, spec.remarks) == (2, ())


GRAMMAR = {
    '.Attr("a: int")': ("int", None, None, None),
    '.Attr("a:int>=-2=-1")': ("int", -1, None, -2),
    '.Attr(" a: int")': None,
    '.Attr("a: list(int) >= 3 = [1, 2, 3]")': ("list(int)", (1, 2, 3), None, 3),
    '.Attr("a: list ( float )=[ ]")': ("list(float)", (), None, None),
    '.Attr("a: float = 1e-3")': ("float", 0.001, None, None),
    '.Attr("a: float = -inf")': ("float", float("-inf"), None, None),
    '.Attr("a: bool = true")': ("bool", True, None, None),
    '.Attr("a: string = \'it\\\\n\'")': ("string", "it\n", None, None),
    '.Attr("a: string = \'\\n\'")': ("string", "\n", None, None),
    '.Attr("a: string = \'\'")': ("string", "", None, None),
    '.Attr("a: {\'x,\', \\"y\\\\x41\\",}")': ("string", None, ("x,", "yA"), None),
    '.Attr("a: {int32,qint8, }")': ("type", None, ("int32", "qint8"), None),
    '.Attr("a: list({float, half}) >= 1 = [DT_HALF]")': ("list(type)", ("half",), ("float", "half"), 1),
    '.Attr("a: type = DT_FLOAT")': ("type", "float", None, None),
    '.Attr("a: shape = { dim { size: 2 } dim { size: -1 } }")': ("shape", (2, -1), None, None),
    '.Attr("a: shape = { unknown_rank: true }")': ("shape", "unknown", None, None),
    '.Attr("a: list(shape) = [{}, { dim { size: 1 } }]")': ("list(shape)", ((), (1,)), None, None),
    '.Attr("a: tensor = { dtype: DT_INT32 }")': ("tensor", {"tensor": {"dtype": "DT_INT32"}}, None, None),
    '.Attr("a: func = { name: \'f\' }")': ("func", {"name": "f"}, None, None),
    '.Attr("a: quantizedtype")': ("type", None, ("qint8", "quint8", "qint32", "qint16", "quint16"), None),
    '.Attr("a: any").AllowAttrTypeAny()': ("any", None, None, None),
    '.Attr(strings::StrCat("a", ": ", "list(int) = [", 4, "]"))': ("list(int)", (4,), None, None),
    '.Attr(kText)': ("int", 5, None, None),
    '.Attr(Made("a"))': ("int", 6, None, None),
    '.Attr(("a: " "int"))': ("int", None, None, None),
}  # fmt: skip
BEFORE = """
static const StringPiece kText = "a: int = 5";
static string Made(const string& name) { return strings::StrCat(name, ": int = 6"); }
"""


@pytest.mark.parametrize("chain", GRAMMAR)
def test_the_grammar_of_attrs(tmp_path, chain):
    op, remarks = op_of(tmp_path, chain, BEFORE)
    assert remarks == []
    if GRAMMAR[chain] is None:
        assert op.invalid.startswith("Trouble parsing '<name>:' from Attr")
    else:
        assert attrs(op)["a"] == GRAMMAR[chain]


def test_the_grammar_of_arguments(tmp_path):
    chain = """.Attr("T: type").Attr("N: int").Attr("L: list(type)").Attr("M: int >= 0")
      .Input("a: T").Input("b: Ref(T)").Input("c: N * T").Input("d: Ref ( N*float )").Input("e: L")
      .Input("f: M * int32").Output("g: float64")"""
    op, remarks = op_of(tmp_path, chain)
    assert (remarks, op.invalid) == ([], None)
    assert arguments(op.inputs) == [
        ("a", None, "T", None, None, False),
        ("b", None, "T", None, None, True),
        ("c", None, "T", "N", None, False),
        ("d", "float", None, "N", None, True),
        ("e", None, None, None, "L", False),
        ("f", "int32", None, "M", None, False),
    ]
    assert arguments(op.outputs) == [("g", "double", None, None, None, False)]
    assert {name: attr[3] for name, attr in attrs(op).items()} == {"T": None, "N": 1, "L": 1, "M": 0}


REJECTED = {
    '.Attr("a int")': "Trouble parsing '<name>:' from Attr(\"a int\") for Op Op",
    '.Attr("a: integer")': "Extra 'eger' unparsed at the end from Attr(\"a: integer\") for Op Op",
    '.Attr("a: {int32 float}")': "Expected , or } after types in list, not: 'float}'",
    '.Attr("a: {int31}")': "Unrecognized type string 'int31'",
    ".Attr(\"a: {'x' 'y'}\")": "Expected , or } after strings in list, not: ''y'}'",
    '.Attr("a: list(int")': "Expected ) to close 'list(', not: ''",
    '.Attr("a: int >= x")': "Could not parse integer lower limit after '>=', found ' x' instead",
    '.Attr("a: int = x")': "Could not parse default value 'x'",
    '.Attr("a: list(int) = 1")': "Could not parse default value '1'",
    '.Attr("a: float >= 1")': "Extra '>= 1' unparsed at the end",
    '.Attr("a: any")': "Trouble parsing type string at 'any'",
    '.Attr("a: realnumberictype")': "Expected to see a compound type, saw: realnumberictype",
    '.Input("A: float")': "Trouble parsing 'name:' from Input(\"A: float\") for Op Op",
    '.Input("a: T")': "Reference to unknown attr 'T' from Input(\"a: T\") for Op Op",
    '.Attr("T: int").Output("a: T")': "Reference to attr 'T' with type int that isn't type or list(type) from Output",
    '.Input("a: Ref(float")': "Did not find closing ')' for 'Ref(', instead found: ''",
    '.Input("a: float b")': "Extra 'b' unparsed at the end",
    '.Doc("a").Doc("b")': "Extra call to Doc() for Op Op",
    '.Deprecated(1, "x").Deprecated(2, "y")': "Deprecated called twice for Op Op",
    '.Doc("Sum.\\nx: what")': "No matching input/output/attr for name 'x' from Doc() for Op Op",
    '.Attr("a: int = 1").Attr("a: int = 2")': "Duplicate name: a",
}


@pytest.mark.parametrize("chain", REJECTED)
def test_a_string_that_the_builder_rejects_makes_the_op_invalid(tmp_path, chain):
    op, remarks = op_of(tmp_path, f"\n{chain}")
    assert remarks == []
    assert REJECTED[chain] in op.invalid


def test_faults_had_no_effect_before_0_10(tmp_path):
    old = {"tensorflow/core/framework/op.cc": "void F() {\n  wrapper.builder().Finalize(&op_def);\n}\n"}
    tree = trees.registering('REGISTER_OP("Op").Attr("a: int32").Attr("b: int = x").Doc("x: none");') | old
    op = read(tmp_path, tree).ops["Op"]
    assert attrs(op)["a"] == ("int", None, None, None)
    assert "AttrValue missing value" in op.invalid


def test_the_place_of_a_rejected_string_is_its_line(tmp_path):
    op, _ = op_of(tmp_path, '\n  .Output("y: float")\n  .Attr("a: {}")')
    assert op.places["invalid"].line == 5


UNRESOLVED = {
    ".Frobnicate()": "the method Frobnicate is not known",
    ".Attr(Elsewhere())": "the function Elsewhere is not known",
    ".Attr(kUnknown)": "the name kUnknown has no known value",
    ".Attr(7)": "Attr with an argument that is no string",
    '.Attr("a: int", 1)': "Attr with 2 arguments",
    '.Deprecated("x", 1)': "Deprecated with arguments of other types",
}


@pytest.mark.parametrize("chain", UNRESOLVED)
def test_what_cannot_be_evaluated_is_remarked(tmp_path, chain):
    op, remarks = op_of(tmp_path, chain)
    assert op is None
    assert remarks == [UNRESOLVED[chain]]


def test_an_op_whose_name_cannot_be_evaluated_is_remarked(tmp_path):
    spec = read(tmp_path, trees.registering('REGISTER_OP(kName).Input("x: float");'))
    assert [(item.event, item.name, item.op, item.origin.line) for item in spec.remarks] == [
        ("op_unresolved", "zero/ops.cc", None, 2)
    ]


def test_helper_strings_of_headers_that_an_extension_lacks(tmp_path):
    op, remarks = op_of(tmp_path, ".Attr(GetConvnetDataFormatAttrString())")
    assert (remarks, attrs(op)["data_format"]) == ([], ("string", "NHWC", ("NHWC", "NCHW"), None))


@pytest.mark.parametrize("macro", ["TF_VERSION_INTEGER >= 2000", "TF_MAJOR_VERSION >= 2"])
def test_an_extension_is_built_against_tensorflow_2(tmp_path, macro):
    text = f'#if {macro}\n#define NAME(N) "Own>" #N\n#else\n#define NAME(N) "Own" #N\n#endif\nREGISTER_OP(NAME(A));'
    assert set(read(tmp_path / "extension", trees.registering(text)).ops) == {"Own>A"}
    core = {"tensorflow/core/ops/a_ops.cc": text, trees.VERSION: trees.TREE[trees.VERSION]}
    assert set(read(tmp_path / "core", core).ops) == {"OwnA"}


def test_sources_of_tests_and_third_parties_are_left_out(tmp_path):
    text = 'REGISTER_OP("{}");'
    paths = {"a/ops.cc": "A", "a/ops_test.cc": "B", "a/testing/ops.cc": "C", "third_party/lib/ops.cc": "D"}
    assert set(read(tmp_path, {path: text.format(name) for path, name in paths.items()}).ops) == {"A"}


def test_a_tree_without_registrations_is_an_error(tmp_path):
    with pytest.raises(NothingThereError, match="REGISTER_OP"):
        read(tmp_path, {"a.cc": "int main() {}"})


def test_index_and_revision_are_trees_too(tmp_path):
    repository = Repository.make(tmp_path / "r", trees.TREE)
    first = references.resolve(f"tensorflow-source:{repository.top}@HEAD", READING).spec
    repository.stage(trees.changed(trees.MORE_OPS, "h: resource", "g: resource"))
    staged = references.resolve(f"tensorflow-source:{repository.top}@:index", READING).spec
    assert [spec.ops["Handle"].outputs[0].name for spec in (first, staged)] == ["h", "g"]


def test_results_of_an_earlier_tree_are_used_as_long_as_its_files_are_the_same(tmp_path, monkeypatch):
    store, built = MemoryStore(), []
    plain = registrations.Builder.finish
    monkeypatch.setattr(registrations.Builder, "finish", lambda self: built.append(self) or plain(self))

    def opened(tree):
        trees.write(tmp_path, tree)
        with open_tree("tensorflow-source", str(tmp_path), (".cc", ".h", "BUILD"), READING) as files:
            return canonical.dumps(source.read(files, "x", READING, store))

    first = opened(trees.TREE)
    assert built
    built.clear()
    assert opened(trees.TREE) == first
    assert not built
    for path, old, new, count in (
        (trees.MORE_OPS, "h: resource", "g: resource", 1),
        (trees.PADDING_CODE, "'SAME', ", "", 5),  # _Arg has no macro
        (trees.PADDING, "}", "#define UNUSED 1\n}", 5),
        (trees.TYPES, "ToSet(DT_QINT8)", "ToSet(DT_QINT32)", 7),
    ):
        tree = trees.changed(path, old, new)
        built.clear()
        made = opened(tree)
        assert len(built) == count, path
        assert made == canonical.dumps(read(tmp_path, tree)), path
        opened(trees.TREE)


REUSED = """#include "tensorflow/core/ops/shapes.h"
#define UNARY() Input("x: T").Output("y: T").Attr("T: type")
#ifdef OTHER
REGISTER_OP("Doubtful").Input("a: float");
#endif
Status Shape() { return 1; }
REGISTER_OP("Plain").Input("a: float").SetShapeFn(Shape);
REGISTER_OP("Macro").UNARY().Attr("a: int = 1").SetShapeFn([] { return Shape(); });
REGISTER_OP("Header").BINARY();
REGISTER_OP("Named").Attr(strings::StrCat("a: ", kType));
"""


@pytest.mark.parametrize(
    ("path", "old", "new", "built"),
    [
        ("a.cc", "return 1", "return\n 2", "Named"),
        ("a.cc", "Plain", "Other", "Named Other"),
        ("a.cc", 'REGISTER_OP("Header")', '  REGISTER_OP("Header")', "Header Named"),
        ("a.cc", 'REGISTER_OP("Plain")', '/* */ REGISTER_OP("Plain")', "Named Plain"),
        ("a.cc", '.Attr("T: type")', '.Attr("T: {int32}")', "Header Macro Named"),
        ("a.cc", "Status", "#define Input(x) Attr(x)\nStatus", "Header Macro Named Plain"),
        ("a.cc", "#ifdef OTHER", "", "Doubtful Named"),
        ("shapes.h", "b: float", "c: float", "Header Macro Named"),
        ("shapes.h", "kType", "kOther", "Header Macro Named"),
    ],
)
def test_registrations_that_are_the_same_are_not_evaluated_again(tmp_path, monkeypatch, path, old, new, built):
    header = '#define BINARY() Input("a: float").Input("b: float")\nconst char kType[] = "int";\n'
    files = {"a.cc": REUSED, "shapes.h": header}
    store, names = MemoryStore(), []
    monkeypatch.setattr(registrations, "Builder", lambda name, behavior: names.append(name) or Builder(name, behavior))

    def opened(folder, changes, kept):
        tree = {f"tensorflow/core/ops/{name}": text for name, text in (files | changes).items()}
        trees.write(folder, tree)
        with open_tree("tensorflow-source", str(folder), (".cc", ".h", "BUILD"), READING) as tree:
            return source.read(tree, "x", READING, kept)

    opened(tmp_path, {}, store)
    names.clear()
    changes = {path: files[path].replace(old, new)}
    spec = opened(tmp_path, changes, store)
    assert " ".join(sorted(names)) == built
    assert as_read(spec) == as_read(opened(tmp_path / "fresh", changes, MemoryStore()))


def as_read(spec):
    """Return what the reader of a tree makes, with all places."""
    origins = [
        (op.origin, [item.origin for section in (op.inputs, op.outputs, op.attrs) for item in section])
        for op in spec.ops.values()
    ]
    return canonical.dumps(spec), origins, spec.remarks


def test_history_attributes_changes_to_their_commits(tmp_path):
    repository = Repository.make(tmp_path / "r", trees.TREE)
    first = {trees.MORE_OPS: trees.TREE[trees.MORE_OPS].replace("h: resource", "g: resource")}
    second = {trees.OPS: trees.TREE[trees.OPS].replace(", 'b'} = 'a'", "} = 'a'")}
    commits = ((first, "renames h"), ({"a.py": "x"}, "other file"), (second, "drops b"), ({"b.py": "x"}, "y"))
    for files, subject in commits:
        repository.commit(files, subject)
    shown = run("log", f"tensorflow-source:{repository.top}").out
    named = [line.split(" ", 2)[2] for line in shown.splitlines() if line.startswith("20")]
    assert named[:2] == ["drops b", "renames h"]
    assert shown.index("drops b") < shown.index("allowed_values_narrowed") < shown.index("renames h")


def test_a_change_that_tensorflow_refuses_is_an_error_with_its_line(tmp_path):
    repository = Repository.make(tmp_path / "r", trees.TREE)
    repository.stage(trees.changed(trees.OPS, "'a', 'b'} = 'a'", "'b'} = 'b'"))
    done = run("check", f"tensorflow-source:{repository.top}@HEAD", f"tensorflow-source:{repository.top}@:index")
    assert done.code == 1
    assert "attr_default_changed" in done.out
    assert f"head {trees.OPS}:14" in done.out


def test_a_rejected_string_is_an_error_of_check(tmp_path):
    repository = Repository.make(tmp_path / "r", trees.TREE)
    repository.stage(trees.changed(trees.OPS, "seed: int = 0", "seed: int = zero"))
    done = run("check", f"tensorflow-source:{repository.top}@HEAD", f"tensorflow-source:{repository.top}@:index")
    assert done.code == 1
    assert "op_invalid" in done.out
    assert "Could not parse default value 'zero'" in done.out
    assert f"{trees.OPS}:44" in done.out


def test_what_a_rejected_string_declares_is_not_compared(tmp_path):
    chain = 'REGISTER_OP("Z").Input("x: T").Attr("T: {int32}");'
    sound = read(tmp_path / "sound", trees.registering(chain))
    rejected = read(tmp_path / "rejected", trees.registering(chain.replace("{int32}", "{DT_INT32}")))
    assert [fact.event for fact in diff(sound, rejected) if fact.op] == ["op_invalid"]
    assert [fact.event for fact in diff(rejected, sound) if fact.op] == ["op_valid"]


@pytest.mark.parametrize(
    ("tree", "message"),
    [(trees.TREE, "tensorflow-source:. (6 ops of tensorflow)"), (trees.registering('REGISTER_OP("Z");'), "(1 op of")],
    ids=["TensorFlow", "an extension"],
)
def test_init_finds_a_tree(tmp_path, tree, message):
    repository = Repository.make(tmp_path / "r", tree)
    done = repository.run(sys.executable, "-m", "opspec_lint", "init")
    assert message in done.stdout
    assert "tensorflow-source:." in (repository.top / "opspec-lint.toml").read_text()


def test_every_op_can_be_written_as_an_opdef(tmp_path):
    ops = read(tmp_path).ops
    written = {name: op_defs.read(op_defs.write(op).SerializeToString()).attrs for name, op in ops.items()}
    assert written == {name: tuple(attr.replace(origin=None) for attr in op.attrs) for name, op in ops.items()}


RULES = """
load("//tensorflow:tensorflow.bzl", "tf_gen_op_libs")

CORE = ["some_ops"]

tf_gen_op_libs(
    op_lib_names = CORE + ["more_" + "ops"],
    deps = [":lib"],
)
tf_gen_op_libs(op_lib_names = ["mkl_ops"])
tf_gen_op_libs(op_lib_names = ["nccl_ops"])
cc_library(name = "user", srcs = glob(["user_ops/**/*.cc"]))
cc_library(name = "tests_only", testonly = 1, srcs = ["ops/for_tests_ops.cc"])
cc_library(
    name = "ops",
    deps = [":some_ops_op_lib", ":more_ops_op_lib", ":user"] + if_mkl([":mkl_ops_op_lib"]) + select({
        "//tensorflow:with_cuda_support": [":nccl_ops_op_lib"],
        "//conditions:default": [],
    }),
)
"""


USER_OPS = {"a/b": "Mine", "c": "C"}


def of_rules(*more):
    others = ("mkl_ops", "nccl_ops", "for_tests_ops", "unnamed_ops", *more)
    files = {f"tensorflow/core/ops/{name}.cc": f'REGISTER_OP("{name.title().replace("_", "")}");' for name in others}
    user = {f"tensorflow/core/user_ops/{path}.cc": f'REGISTER_OP("{name}");' for path, name in USER_OPS.items()}
    return {**trees.TREE, **files, **user, trees.BUILD: RULES}


def test_rules_of_build_files_decide_which_files_are_compiled(tmp_path):
    ops = in_build(tmp_path, "all", of_rules()).ops
    assert set(ops) - set(in_build(tmp_path / "without", "all", trees.TREE).ops) == {"MklOps", "NcclOps", "Mine", "C"}
    assert {name: op.builds for name, op in ops.items() if op.builds} == {"MklOps": ("mkl",), "NcclOps": ("gpu",)}


@pytest.mark.parametrize(("visibility", "is_compiled"), [("public", True), ("private", False)])
def test_a_group_of_files_compiles_none(tmp_path, visibility, is_compiled):
    group = f'filegroup(name = "a", srcs = glob(["**/*.cc"]), visibility = ["//visibility:{visibility}"])\n'
    ops = in_build(tmp_path, "all", of_rules() | {trees.BUILD: RULES + group}).ops
    assert {name: op.builds for name, op in ops.items() if op.builds} == {"MklOps": ("mkl",), "NcclOps": ("gpu",)}
    assert "ForTestsOps" not in ops
    assert ("UnnamedOps" in ops) == is_compiled  # another package may have a rule of the group


def test_a_library_that_is_not_part_of_core_ops_is_not_exported(tmp_path):
    tree = of_rules() | {trees.BUILD: RULES.replace('":more_ops_op_lib", ', "")}
    assert "Handle" not in read(tmp_path, tree).ops
    assert "Handle" in in_build(tmp_path, "all", tree).ops


OF_THE_TREE = {
    "third_party/mkl/build_defs.bzl": ("//third_party/mkl:build_defs.bzl", {}),
    "third_party/xla/xla/mkl/build_defs.bzl": (
        "@local_xla//xla/mkl:build_defs.bzl",
        {"tensorflow/workspace3.bzl": 'def w():\n    tf_vendored(name = "local_xla", relpath = "third_party/xla")\n'},
    ),
    "third_party/tsl/mkl.bzl": (
        "@tsl//:mkl.bzl",
        {"WORKSPACE": 'local_repository(\n    name = "tsl",\n    path = "third_party/tsl",\n)\n'},
    ),
}


@pytest.mark.parametrize("path", OF_THE_TREE)
def test_functions_of_the_tree_decide_conditions(tmp_path, path):
    label, repositories = OF_THE_TREE[path]
    mkl = """
def _select(a, b):
    return select({"//tensorflow:linux_x86_64": a, "//conditions:default": b})

def if_mkl(if_true, if_false = []):
    \"\"\"Text.\"\"\"
    return _select(if_true, if_false)
"""
    build = f'load("{label}", "if_mkl")\n' + RULES
    tree = of_rules() | repositories | {trees.BUILD: build, path: mkl}
    tree["tensorflow/core/ops/mkl_ops.cc"] += '\n#ifdef INTEL_MKL\nREGISTER_OP("_Mkl");\n#endif\n'
    ops = in_build(tmp_path, "all", tree).ops
    linux = ("cpu", "gpu", "mkl", "tpu")
    assert [ops[name].builds for name in ("MklOps", "_Mkl", "NcclOps")] == [linux, linux, ("gpu",)]


@pytest.mark.parametrize(
    ("setting", "builds"),
    [("//tensorflow:linux_x86_64", ("cpu", "gpu", "mkl", "tpu")), (":build_with_onednn_v3", None)],
)
def test_the_tree_decides_which_builds_use_version_3_of_onednn(tmp_path, setting, builds):
    mkl = f"""
def if_mkl(if_true, if_false = []):
    return select({{"//tensorflow:linux_x86_64": if_true, "//conditions:default": if_false}})

def onednn_v3_define():
    return select({{"{setting}": ["-DENABLE_ONEDNN_V3"], "//conditions:default": []}})
"""
    load = 'load("//third_party/mkl:build_defs.bzl", "if_mkl", "onednn_v3_define")\n'
    tree = of_rules() | {trees.BUILD: load + RULES, "tensorflow/tensorflow.bzl": load}
    tree["third_party/mkl/build_defs.bzl"] = mkl
    tree["tensorflow/core/ops/mkl_ops.cc"] += (
        '\n#if defined(INTEL_MKL) && defined(ENABLE_ONEDNN_V3)\nREGISTER_OP("_V3");\n#endif\n'
    )
    op = in_build(tmp_path, "all", tree).ops.get("_V3")
    assert (op and op.builds) == builds


def test_rules_of_another_package_name_files_by_labels(tmp_path):
    tree = {
        "text/ops/a_ops.cc": 'REGISTER_OP("A");',
        "text/ops/b_ops.cc": 'REGISTER_OP("B");',
        "text/ops/BUILD": "exports_files(['a_ops.cc'])",
        "text/BUILD": 'text_library(name = "a", cc_op_defs = ["//text/ops:a_ops.cc"])',
    }
    assert set(read(tmp_path, tree).ops) == {"A"}


COMPILED = """
load(":ops.bzl", "op_library", "op_libraries", "SOURCES")
{}
cc_binary(name = "x.so", linkshared = 1, srcs = ["a_ops.cc"] + {}, deps = [":l"])
"""
BZL = """
SOURCES = ["a_ops.cc", "b_ops.cc"]

def op_library(name, srcs, cuda_srcs = [], **kwargs):
    deps = kwargs.pop("deps", []) if False else []
    if cuda_srcs:
        native.cc_library(name = name + "_gpu", srcs = cuda_srcs, alwayslink = 1)
        deps = deps + if_cuda([":" + name + "_gpu"])
    native.cc_binary(name = name, srcs = [s for s in srcs if not s.startswith("c_")], deps = deps, **kwargs)

def op_libraries(names):
    for name in names:
        op_library(name = name, srcs = [name + "_ops.cc"])
"""
EVERY_BUILD = ("cpu", "gpu", "mkl", "tpu", "windows")
SELECTED = 'select({"//a:windows": ["b_ops.cc"], "//conditions:default": []})'
BUILDS_OF_B = {
    "a comprehension": ("", '["%s_ops.cc" % n for n in ["b"]]', EVERY_BUILD),
    "a format": ("", '["{}_{}.cc".format(n, "ops") for n in ["b"]]', EVERY_BUILD),
    "pairs": ("", '[n + e for n, e in [("b_ops", ".cc")]]', EVERY_BUILD),
    "a filter": ("", '["%s_ops.cc" % n for n in ["a", "b"] if n != "b"]', ()),
    "another filter": ("", '[f for f in glob(["*.cc"]) if not f.endswith("b_ops.cc")]', ()),
    "a condition": ("", '(["b_ops.cc"] if False else [])', ()),
    "a setting": ("", SELECTED, ("windows",)),
    "a filtered setting": ("", f'[f for f in {SELECTED} if f != "b_ops.cc"]', ()),
    "a part": ("", '["c_ops.cc", "b_ops.cc"][:1]', ()),
    "an item": ("", '["c_ops.cc", "b_ops.cc"][1:]', EVERY_BUILD),
    "a list of another file": ("", "SOURCES[1:]", EVERY_BUILD),
    "a dict": ('D = {"k": ["b_ops.cc"]}', 'D["k"]', EVERY_BUILD),
    "data": ('cc_binary(name = "y.so", data = ["b_ops.cc"])', "[]", ()),
    "an unused group": ('filegroup(name = "g", srcs = ["b_ops.cc"])', "[]", ()),
    "a group": ('filegroup(name = "g", srcs = ["b_ops.cc"])', '[":g"]', EVERY_BUILD),
    "no platform": (
        'cc_binary(name = "y", srcs = ["b_ops.cc"], target_compatible_with = ["@platforms//:incompatible"])',
        "[]",
        (),
    ),
    "a platform": (
        'cc_binary(name = "y", srcs = ["b_ops.cc"], target_compatible_with = ["@platforms//os:windows"])',
        "[]",
        ("windows",),
    ),
    "a macro": ('op_library(name = "y.so", srcs = ["b_ops.cc"])', "[]", EVERY_BUILD),
    "a macro that drops a file": ('op_library(name = "y.so", srcs = ["c_ops.cc", "b_ops.cc"][:1])', "[]", ()),
    "a library of a macro": ('op_library(name = "y", srcs = [], cuda_srcs = ["b_ops.cc"])', "[]", ("gpu",)),
}


def of_build(build, more=""):
    ops = {f"z/{name}_ops.cc": f'{more}REGISTER_OP("{name.upper()}");' for name in "abc"}
    return {**ops, "z/BUILD": build, "z/ops.bzl": BZL}


@pytest.mark.parametrize("kind", BUILDS_OF_B)
def test_expressions_of_build_files_decide_which_builds_compile_a_file(tmp_path, kind):
    rules, sources, builds = BUILDS_OF_B[kind]
    spec = in_build(tmp_path, "all", of_build(COMPILED.format(rules, sources)))
    op = spec.ops.get("B")
    assert (() if op is None else op.builds or EVERY_BUILD) == builds
    assert not spec.remarks


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ('cc_binary(name = "x.so", srcs = ["a_ops.cc"] + NAMES)', 1),
        ('\ncc_binary(\n    name = "x.so",\n    srcs = [n for n in ["b_ops.cc"] if unknown(n)])', 4),
        *(
            (f'load("@x//:y.bzl", "N")\ncc_binary(name = "x.so", srcs = [{text}])', 2)
            for text in (
                '"{}.cc".format(N)',
                '"{}.cc".format(select({"//:a": ["b_ops"], "//:b": []}))',
                '"%s%s.cc" % (N, "a")',
                '"%c.cc" % 9999999',
                '"{0.x}.cc".format("b_ops")',
                '"%99999999d.cc" % 1',
                '("b_ops.cc" if {} in {} else "b_ops.cc")',
                "select({0x" + "f" * 5000 + ': "a.cc"})',
            )
        ),
        ('load(":ops.bzl", "op_libraries")\nop_libraries(names = ["a", unknown()])', 2),
        ('cc_binary(name = "x.so")\n\ncc_library(name = "l", srcs = ["b_ops.cc"])', 3),
        ('cc_binary(name = "x.so", deps = [":l"])\n\ncc_library(name = "l", srcs = ["b_ops.cc"])', 3),
    ],
)
def test_a_rule_that_is_not_understood_is_reported_with_its_line(tmp_path, rules, line):
    spec = in_build(tmp_path, "all", of_build(rules))
    assert "B" in spec.ops
    assert [(item.event, item.name, item.origin.line) for item in spec.remarks] == [("op_unresolved", "z/BUILD", line)]


@pytest.mark.parametrize(
    ("argument", "ops"),
    [
        ('copts = ["-DNO_OPS"]', set()),
        ('copts = ["-O2", "/DNO_OPS=1"]', set()),
        ('local_defines = ["NO_OPS"]', set()),
        ('defines = ["OTHER"]', {"A"}),
        ('copts = select({"//a:unknown": ["-DNO_OPS"], "//conditions:default": []})', {"A"}),
    ],
)
def test_macros_of_build_files_are_defined(tmp_path, argument, ops):
    code = '#ifndef NO_OPS\nREGISTER_OP("A");\n#endif\nREGISTER_OP("Always");\n'
    tree = {"z/a_ops.cc": code, "z/BUILD": f'cc_binary(name = "x.so", srcs = ["a_ops.cc"], {argument})'}
    assert set(read(tmp_path, tree).ops) == ops | {"Always"}


def test_a_tree_of_which_nothing_is_compiled_names_a_file(tmp_path):
    tree = {"z/a_ops.cc": 'REGISTER_OP("A");', "z/BUILD": 'cc_test(name = "t", srcs = ["a_ops.cc"])'}
    with pytest.raises(NothingThereError, match=r"the BUILD file above `z/a_ops\.cc` has no rule that compiles it"):
        read(tmp_path, tree)


@pytest.mark.parametrize(
    ("build", "text", "why"),
    [
        ("setup.py", "setup(ext_modules=[Extension('x', ['ops/a_ops.cc'])])", "do not name it"),
        ("CMakeLists.txt", "add_library(x SHARED ops/a_ops.cc)", "do not name it"),
        ("Makefile", "SRCS = ops/a_ops.cc", "do not name it"),
        (
            "CMakeLists.txt",
            "add_library(x SHARED ops/a_ops.cc)\nif(M)\ntarget_sources(x PRIVATE ops/b_ops.cc)\nendif()",
            "`M",
        ),
        ("setup.py", "setup(ext_modules=[Extension('x', ['ops/a_ops.cc', 'ops/b_ops.cc'])])", None),
        ("README.md", "", None),
    ],
)
def test_another_build_than_bazel_that_leaves_a_source_out_is_remarked(tmp_path, build, text, why):
    sources = {"ops/a_ops.cc": 'REGISTER_OP("A");', "ops/b_ops.cc": 'REGISTER_OP("B");'}
    spec = read(tmp_path, sources | {build: text})
    remarks = [(remark.name, why is not None and why in remark.facts["reason"]) for remark in spec.remarks]
    assert (set(spec.ops), remarks) == ({"A", "B"}, [("ops/b_ops.cc", True)] if why else [])


SHIM = """
namespace own {
template <Runtime Rt%s>
class JoinOp : public tflite::shim::OpKernelShim<JoinOp, Rt%s> {
  enum Inputs { kFirst = 0 };
 public:
  static constexpr char kWidth[] = "width";
  %s
  static std::vector<std::string> Inputs();
  static std::vector<std::string> Outputs() { return {"y: T"}; }
  static std::vector<std::string> Attrs() { return {absl::StrCat(kWidth, ": int"), "T: type"}; }
};
template <Runtime Rt%s>
std::vector<std::string> JoinOp<Rt>::Inputs() { return {"x: N * T", "sep: string"}; }
}
namespace own {
%s
REGISTER_TF_OP_SHIM(JoinKernel);
}
"""
KERNEL = "class JoinKernel : public tflite::shim::TfOpKernel<JoinOp> { using TfOpKernel::TfOpKernel; };"
NAMED = 'static const char* OpName() { return "Own>Join"; }\n static const char* Doc() { return "Joins."; }'
CONSTANTS = 'static const char kOpName[];\n static constexpr char kDoc[] = "Joins.";'
OF_ALIAS = """
template <typename T> class Kernel : public tflite::shim::TfOpKernel<own::JoinOp, T> {};
using JoinKernel = Kernel<int>;"""
SHIMS = {
    "functions": SHIM % ("", "", NAMED, "", KERNEL),
    "a constant outside": SHIM % ("", "", CONSTANTS, "", KERNEL.replace("JoinOp", "own::JoinOp"))
    + 'namespace own { template <Runtime Rt> const char JoinOp<Rt>::kOpName[] = "Own>Join"; }',
    "an alias": SHIM % (", typename T", ", T", NAMED, ", typename T", OF_ALIAS),
    "the name of the op": (SHIM % ("", "", NAMED, "", KERNEL)).replace("SHIM(", 'SHIM("Own>Join", '),
}


@pytest.mark.parametrize("text", SHIMS.values(), ids=SHIMS)
def test_an_op_that_a_class_template_declares(tmp_path, text):
    text = text.replace('"T: type"', '"T: type", "N: int"')
    spec = read(tmp_path, trees.registering(text))
    op = spec.ops["Own>Join"]
    assert (op.summary, spec.remarks) == ("Joins.", ())
    assert [item.name for item in (*op.inputs, *op.outputs, *op.attrs)] == ["x", "sep", "y", "width", "T", "N"]
    assert op.inputs[0].origin.line == text[: text.index('return {"x:')].count("\n") + 2
    assert op.origin.line == text[: text.index("REGISTER_TF")].count("\n") + 2


@pytest.mark.parametrize(("text", "reason"), [
    ("REGISTER_TF_OP_SHIM(Kernel);", "the class Kernel declares the op, and it is not known"),
    ("class Kernel : public Other {}; REGISTER_TF_OP_SHIM(Kernel);",
     "the class Other declares the op, and it is not known"),
    ("REGISTER_TF_OP_SHIM(Kernel<int>);", "the class that declares the op is not a plain name"),
    ("REGISTER_TF_OP_SHIM();", "the class that declares the op is not a plain name"),
    ("using A = B; using B = A; REGISTER_TF_OP_SHIM(A);", "the class A is not derived from TfOpKernel"),
])  # fmt: skip
def test_an_op_whose_class_template_is_not_known_is_remarked(tmp_path, text, reason):
    (remark,) = read(tmp_path, trees.registering(text)).remarks
    assert (remark.event, remark.facts["reason"]) == ("op_unresolved", reason)


def test_a_macro_may_have_a_raw_string_of_several_lines(tmp_path):
    macro = '#define DOC \\\n  R"(one\\\ntwo of "it",\\\n)"\n'
    op, remarks = op_of(tmp_path, '.Doc(R"doc(Sums.\n\n)doc" DOC)', macro)
    assert (op.description, remarks) == ('one\\\ntwo of "it",\\', [])


DIFFERS, LACKS = "another declaration of it in ops.pbtxt", "no entry of it in ops.pbtxt"
GONE = "no source registers it, and it is in ops.pbtxt"
STALE = {
    "another declaration": ('name: "h"', 'name: "g"', [("Handle", trees.MORE_OPS, DIFFERS)]),
    "an op too many": ("op {", 'op { name: "Gone" }\nop {', [("Gone", trees.OP_LIST, GONE)]),
    "an op that is missing": ('name: "Handle"', 'name: "Pool"', [
        ("Handle", trees.MORE_OPS, LACKS), ("Pool", trees.OP_LIST, GONE)]),
    "documentation": ("op {", 'op {\n summary: "x"', []),
    "no list": ("op {", "op {{", []),
}  # fmt: skip


@pytest.mark.parametrize("case", STALE.values(), ids=STALE)
def test_an_op_list_with_differences_is_remarked(tmp_path, case):
    old, new, expected = case
    spec = read(tmp_path, trees.with_list(trees.LIST.replace(old, new, 1)))
    assert [(item.op, item.origin.file) for item in spec.remarks] == [(op, file) for op, file, _ in expected]
    for remark, (_, _, reason) in zip(spec.remarks, expected, strict=True):
        assert (remark.event, remark.facts["reason"]) == ("op_list_stale", reason)


OLDER = trees.LIST.replace(" is_aggregate: true\n", "")


@pytest.mark.parametrize("path", [trees.HISTORY, trees.SINGLE_HISTORY])
def test_the_last_declaration_of_a_history_counts(tmp_path, path):
    assert read(tmp_path / "fresh", {**trees.with_list(), path: OLDER + trees.LIST}).remarks == ()
    (stale,) = read(tmp_path / "stale", {**trees.with_list(), path: trees.LIST + OLDER}).remarks
    assert (stale.event, stale.op) == ("op_list_stale", "Handle")
    assert stale.facts == {"reason": "another declaration of it in ops_history"}


def test_an_op_is_remarked_once_for_both_lists_and_a_removed_op_has_a_line(tmp_path):
    gone = 'op {\n  name: "Gone"\n}\n'
    tree = {**trees.with_list(OLDER + gone), trees.HISTORY: OLDER, trees.HISTORY.replace("Handle", "Gone"): gone}
    removed, changed = read(tmp_path, tree).remarks
    assert changed.facts == {"reason": "another declaration of it in ops.pbtxt and ops_history"}
    assert removed.facts == {"reason": "no source registers it, and it is in ops.pbtxt and ops_history"}
    assert (removed.origin.file, removed.origin.line) == (trees.OP_LIST, 8)


@pytest.mark.parametrize(("deprecation", "count"), [("version: 4", 0), ("version: 5", 1)])
def test_a_history_may_omit_why_an_op_is_deprecated(tmp_path, deprecation, count):
    source = {trees.MORE_OPS: trees.TREE[trees.MORE_OPS].replace(".SetIsAggregate()", '.Deprecated(4, "Use Pool")')}
    listed = OLDER.rstrip("}\n") + '\n deprecation { version: 4 explanation: "Use Pool" }\n}\n'
    history = {trees.HISTORY: OLDER.rstrip("}\n") + f"\n deprecation {{ {deprecation} }}\n}}\n"}
    assert len(read(tmp_path, {**trees.with_list(listed), **source, **history}).remarks) == count


def test_an_op_that_the_history_lacks(tmp_path):
    listing = trees.LIST.replace("Handle", "Pool")
    reasons = {
        item.op: item.facts["reason"]
        for item in read(tmp_path, {**trees.with_list(), trees.SINGLE_HISTORY: listing}).remarks
    }
    assert reasons == {
        "Handle": "no entry of it in ops_history",
        "Pool": "no source registers it, and it is in ops_history",
    }


API_DEFS = {
    'visibility: HIDDEN in_arg { name: "x" }': [("the op has no input 'x'", 3)],
    'out_arg {\n  name: "h"\n  description: <<END\nof { name: "x"\nEND\n }\n attr { name: "T" }': [
        ("the op has no attr 'T'", 9)],
    "visibility: SECRET": [("the visibility 'SECRET' is none of DEFAULT_VISIBILITY, VISIBLE, SKIP, HIDDEN", 3)],
    'arg_order: "x"': [("arg_order has not just the inputs of the op", 3)],
    "deprecation_version: 3": [("deprecation_version is set, and deprecation_message is not", 3)],
    'endpoint { name: "A" }\n endpoint { name: "B" deprecated: true }': [],
    'endpoint { name: "A" deprecated: true }': [
        ("every endpoint is deprecated; deprecation_message has to say it instead", 3)],
    'deprecation_message: "Use B." endpoint { name: "A" deprecated: true } endpoint { name: "C" }': [
        ("an endpoint and the whole op are deprecated; the message alone says it", 3)],
    'summary: "visibility: X" # visibility: Y': [],
}  # fmt: skip


@pytest.mark.parametrize("path", [trees.API_DEF, trees.PYTHON_API_DEF])
@pytest.mark.parametrize("text", API_DEFS)
def test_an_api_def_that_does_not_fit_its_op(tmp_path, text, path):
    remarks = read(tmp_path, trees.with_api_def(text, path)).remarks
    assert [(item.facts["reason"], item.origin.line) for item in remarks] == API_DEFS[text]
    assert {(item.event, item.op, item.origin.file) for item in remarks} <= {("api_def_wrong", "Handle", path)}


def test_api_defs_are_compared_at_every_revision(tmp_path):
    store = MemoryStore()

    def reasons(old, new):
        tree = trees.with_api_def('out_arg { name: "h" }')
        trees.write(tmp_path, tree | {trees.MORE_OPS: tree[trees.MORE_OPS].replace(old, new)})
        with open_tree("tensorflow-source", str(tmp_path), (".cc", ".h", "BUILD", ".pbtxt"), READING) as files:
            remarks = source.read(files, "x", READING, store).remarks
        return [item.facts["reason"] for item in remarks if item.event == "api_def_wrong"]

    wrong = ["the op has no output 'h'"]
    assert [reasons("h: resource", new) for new in ("h: resource", "g: resource", "g: float", "h: float")] == [
        [], wrong, wrong, [],
    ]  # fmt: skip


def test_ops_need_an_api_def_and_api_defs_an_op(tmp_path):
    removed = trees.API_DEF.replace("Handle", "Gone")
    tree = trees.with_list(trees.LIST + 'op { name: "Gone" }\n') | {removed: 'op { graph_op_name: "Gone" }'}
    remarked = {
        (item.op, item.facts["reason"]) for item in read(tmp_path, tree).remarks if item.event == "api_def_wrong"
    }
    assert remarked == {("Gone", "no source registers the op of the file"), ("Handle", f"{trees.API_DEF} is missing")}
    excluded = {"tensorflow/core/api_def/excluded_ops.cc": 'new std::set<std::string>({"Handle"});'}
    remarked = {item.op for item in read(tmp_path, {**tree, **excluded}).remarks if item.event == "api_def_wrong"}
    assert remarked == {"Gone"}


def test_the_content_of_an_api_def_names_its_op(tmp_path):
    """api_test.cc reads each file of the folder; TensorListGetItem of 1.7 was described by api_def_TensorGetItem."""
    text = 'op { graph_op_name: "Handle" visibility: SECRET }'
    misnamed = trees.API_DEF.replace("Handle", "Other")
    tree = trees.with_list() | {misnamed: text, trees.API_DEF.replace("api_def_", "draft_"): text}
    (remark,) = read(tmp_path, tree).remarks
    assert (remark.op, remark.origin.file) == ("Handle", misnamed)


def test_an_early_api_def_has_many_ops(tmp_path):
    text = 'op { graph_op_name: "Handle" }\nop { graph_op_name: "Hand" }'
    (remark,) = read(tmp_path / "op", trees.with_list() | {trees.API_DEF: text}).remarks
    assert remark.facts["reason"] == f"{trees.API_DEF} has 2 ops, not one"
    assert not read(tmp_path / "letter", trees.with_list() | {trees.API_DEF.replace("Handle", "H"): text}).remarks


def test_ops_that_core_does_not_link_need_no_api_def(tmp_path):
    """api_test.cc compares the ops of //tensorflow/core:ops; ops.pbtxt may have ops of other libraries, too."""
    debug = 'op { name: "Debug" }\n'
    build = """
tf_gen_op_libs(op_lib_names = ["more_ops", "debug_ops"])
cc_library(name = "ops", deps = [":more_ops_op_lib"{}])
"""
    compat = 'cc_library(name = "op_compatibility_lib", deps = ["//tensorflow/core:debug_ops_op_lib"])'
    tree = trees.with_api_def("") | {
        trees.OP_LIST: trees.LIST + debug,
        "tensorflow/core/ops/debug_ops.cc": 'REGISTER_OP("Debug");\n',
        "tensorflow/core/ops/compat/BUILD": compat,
    }
    linked = {**tree, trees.BUILD: build.format(', ":debug_ops_op_lib"')}
    assert [item.op for item in read(tmp_path / "linked", linked).remarks] == ["Debug"]
    assert not read(tmp_path / "apart", {**tree, trees.BUILD: build.format("")}).remarks


def test_an_op_that_two_libraries_register_differently_is_remarked(tmp_path):
    tree = {**trees.TREE, "tensorflow/user_ops/mine.cc": 'REGISTER_OP("Handle");\nREGISTER_OP("Neg");\n'}
    remarks = {item.op: item for item in read(tmp_path, tree).remarks}
    assert remarks["Handle"].facts == {"kept": f"{trees.MORE_OPS}:3"}
    assert remarks["Neg"].origin == Origin(file="tensorflow/user_ops/mine.cc", line=2, column=1)
    assert {item.event for item in remarks.values()} == {"op_registered_twice"}


def test_declarations_of_different_builds_are_no_double_registration(tmp_path):
    of_gpu = '#ifdef GOOGLE_CUDA\nREGISTER_OP("A").Output("y: int32");\n'
    tree = trees.registering(f'{of_gpu}#else\nREGISTER_OP("A").Output("y: float");\n#endif\n')
    assert read(tmp_path, tree | {"zero/more.cc": f"{of_gpu}#endif\n"}).remarks == ()
    twice = {"zero/more.cc": f"{of_gpu}#endif\n".replace("int32", "int64")}
    for build, count in {"public": 1, "gpu": 1, "cpu": 0}.items():
        assert len(in_build(tmp_path, build, tree | twice).remarks) == count


def test_an_edit_without_the_list_is_a_warning_that_names_the_command(tmp_path):
    repository = Repository.make(tmp_path / "r", trees.with_list())
    repository.stage({**trees.with_list(), trees.MORE_OPS: trees.TREE[trees.MORE_OPS].replace(".SetIsAggregate()", "")})
    done = run("check", f"tensorflow-source:{repository.top}@HEAD", f"tensorflow-source:{repository.top}@:index")
    assert (done.code, "bazel run //tensorflow/core/ops/compat:update_ops" in done.out) == (0, True)
    assert "op_list_stale" in done.out


def in_build(folder, build, tree):
    return SOURCE.spec(str(trees.write(folder, tree)), Reading(caches=False, build=build))


def test_the_public_ops_of_core_are_those_of_a_build_for_the_cpu(tmp_path):
    names = set(read(tmp_path, of_rules()).ops)
    assert names & {"MklOps", "NcclOps", "Mine"} == {"Mine"}


def test_another_library_does_not_change_an_op_of_core(tmp_path):
    text = trees.TREE[trees.MORE_OPS] + "#ifdef INTEL_MKL\nvoid F();\n#endif\n"
    tree = {**trees.TREE, trees.MORE_OPS: text, "tensorflow/user_ops/mine.cc": 'REGISTER_OP("Handle");'}
    for build in ("public", "cpu", "all"):
        ops = in_build(tmp_path, build, tree).ops
        assert [name for name in ops if name.startswith("Handle")] == ["Handle"]
        assert (len(ops["Handle"].outputs), ops["Handle"].builds) == (1, ())


def test_builds(tmp_path):
    text = """
#ifdef INTEL_MKL
REGISTER_OP("OfMkl");
REGISTER_OP("Both").Attr("a: int = 2");
#else
REGISTER_OP("Both").Attr("a: int = 1");
#endif
#ifdef _WIN32
REGISTER_OP("OfWindows");
#endif
REGISTER_OP("_Internal");
"""
    tree = trees.registering(text)
    names = {build: set(in_build(tmp_path, build, tree).ops) for build in SOURCE.builds}
    everything = {"Both", "Both [mkl]", "OfMkl", "OfWindows"}
    assert names == {
        "public": everything,
        "cpu": {"Both", "_Internal"},
        "gpu": {"Both", "_Internal"},
        "mkl": {"Both", "OfMkl", "_Internal"},
        "tpu": {"Both", "_Internal"},
        "windows": {"Both", "OfWindows", "_Internal"},
        "all": {*everything, "_Internal"},
    }
    ops = in_build(tmp_path, "public", tree).ops
    assert [attrs(ops[name])["a"][1] for name in ("Both", "Both [mkl]")] == [1, 2]
    with pytest.raises(UsageError, match="unknown build 'xpu'"):
        in_build(tmp_path, "xpu", tree)


def test_a_build_file_that_cannot_be_parsed_is_remarked_and_its_files_are_read(tmp_path):
    spec = read(tmp_path, {**trees.TREE, trees.BUILD: "cc_library(\n  name = = 1)"})
    assert [(item.event, item.name, item.origin.line) for item in spec.remarks] == [("op_unresolved", trees.BUILD, 2)]
    assert "Pool" in spec.ops


@pytest.mark.parametrize("of_compat", ["tensorflow/BUILD", "tensorflow/core/ops/compat/BUILD"])
def test_a_package_without_its_build_file_is_remarked_once_and_its_files_are_read(tmp_path, of_compat):
    others = {
        of_compat: 'cc_library(name = "op_compatibility_lib", deps = ["//tensorflow/core:ops"])',
        "tensorflow/mine/mine_ops.cc": 'REGISTER_OP("Mine");',
        trees.OP_LIST: 'op { name: "OfAFileThatTheTreeLacks" }',
        "tensorflow/mine/BUILD": 'cc_library(name = "mine", srcs = ["mine_ops.cc"], deps = ["//tensorflow/core:lib"])',
    }
    spec = read(tmp_path, {**trees.TREE, **others})
    assert [(item.event, item.name, item.op) for item in spec.remarks] == [("op_unresolved", trees.BUILD, None)]
    assert "register ops (2)" in spec.remarks[0].facts["reason"]
    assert set(spec.ops) == {*read(tmp_path / "core").ops, "Mine"}


def test_ops_that_the_c_interface_registers(tmp_path):
    text = """
void Register() {
  TF_OpDefinitionBuilder* b = TF_NewOpDefinitionBuilder("Bitcast");
  TF_OpDefinitionBuilderAddInput(b, "x: T");
  TF_OpDefinitionBuilderAddAttr(
      b, "T: {float, "
      "half}");
  TF_OpDefinitionBuilderSetIsStateful(b, true);
  TF_OpDefinitionBuilderSetIsCommutative(b, false);
  TF_OpDefinitionBuilderSetShapeInferenceFunction(b, &fn);
  TF_RegisterOpDefinition(b, status);
}
"""
    op = read(tmp_path, trees.registering(text)).ops["Bitcast"]
    assert attrs(op)["T"][2] == ("float", "half")
    assert (op.own["is_stateful"], op.own["is_commutative"]) == (True, False)
    assert [item.origin.line for item in (op, *op.inputs, *op.attrs)] == [4, 5, 6]


TABLES = {
    "a macro that is handed on": """
#define ONE(name, kind) REGISTER_OP(#name).Output("y: " #kind);
#define ALL(M) M(First, float) M(Second, int32)
ALL(ONE)
""",
    "a loop over a table": """
static const std::vector<string> kNames = {"First", "Second"};
static bool Register() {
  for (const string& name : kNames) {
    string kind = name == "First" ? "float" : "int32";
    OpRegistry::Global()->Register([name, kind](OpRegistrationData* data) -> Status {
      return OpDefBuilder(name).Output(strings::StrCat("y: ", kind)).Finalize(data);
    });
  }
  return true;
}
static const bool registered = Register();
""",
    "statements of a function": """
__attribute__((constructor)) static void F() {
  REGISTER_OP("First").Output("y: float");
  if (true) {
    REGISTER_OP("Second").Output("y: int32");
  }
}
""",
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_tables_of_ops(tmp_path, text):
    spec = read(tmp_path, trees.registering(text))
    assert spec.remarks == ()
    assert {name: op.outputs[0].type for name, op in spec.ops.items()} == {"First": "float", "Second": "int32"}


REGISTER_IN = 'REGISTER_OP("In").Output("y: float");'
LIVE, DEAD, UNSURE = ["In", "Out"], ["Out"], "it is registered only if "
CALLS = {
    "a function of this file only": ("static void F() { IN }", DEAD, []),
    "a function that may be called elsewhere": ("void F() { IN }", DEAD, [f"{UNSURE}another file calls `F`"]),
    "a function that is called": ("static int F() { IN return 1; } static int f = F();", LIVE, []),
    "a function that is handed on": (
        "static void F() { IN }\nstatic Once once(F);",
        DEAD,
        [f"{UNSURE}`F` is called through a pointer"],
    ),
    "a template": (
        "template <class T> struct S { static void F() { IN } };",
        DEAD,
        [f"{UNSURE}another file calls `F`"],
    ),
    "a lambda that is called": ("static bool f = [] { IN return true; }();", LIVE, []),
    "a lambda that is not called": ("static auto f = [] { IN return true; };", DEAD, []),
    "a lambda in an expression": (
        "static bool f = false && [] { IN return true; }();",
        DEAD,
        [f"{UNSURE}the function in line 2 is called"],
    ),
    "a block that cannot be executed": (
        "static int F() { for (auto x : Names()) { IN } return 1; } static int f = F();",
        DEAD,
        [f"{UNSURE}a pass of `for (auto x:Names())`"],
    ),
}


@pytest.mark.parametrize(("text", "ops", "reasons"), CALLS.values(), ids=CALLS)
def test_ops_of_a_function_count_if_it_is_called(tmp_path, text, ops, reasons):
    tree = trees.registering(text.replace("IN", REGISTER_IN) + '\nREGISTER_OP("Out");')
    spec = read(tmp_path, tree)
    assert list(spec.ops) == ops
    assert [(item.op, item.facts["reason"]) for item in spec.remarks] == [("In", reason) for reason in reasons]


def test_a_function_that_cannot_be_followed_is_remarked(tmp_path):
    text = "void F() {\n  for (const auto& name : Names()) { REGISTER_OP(name); }\n}\n"
    spec = read(tmp_path, trees.registering(text))
    assert [(item.event, item.origin.line) for item in spec.remarks] == [("op_unresolved", 3)]


def test_ops_whose_builder_is_in_another_file_are_remarked(tmp_path):
    """TensorFlow 1.12 to 2.2 registers the ops that load and retrieve TPU embeddings so."""
    registered = "void F() {\n  OpRegistry::Global()->Register([](OpRegistrationData* d) { return Fill(d); });\n}\n"
    spec = read(tmp_path, trees.registering(f'REGISTER_OP("A");\n{registered}'))
    assert [(item.event, item.origin.line) for item in spec.remarks] == [("op_unresolved", 4)]
    converter = {"tensorflow/lite/converter.cc": registered}
    assert read(tmp_path / "converter", trees.registering('REGISTER_OP("A");') | converter).remarks == ()


def test_the_full_type_that_a_constructor_gives(tmp_path):
    chain = '.Output("h: variant").SetTypeConstructor(full_type::VariadicTensorContainer(TFT_DATASET, "types"))'
    op, _ = op_of(tmp_path, chain)
    assert op.outputs[0].own["full_type"]["type_id"] == "TFT_DATASET"
    assert "types" in str(op.outputs[0].own["full_type"])
    op, remarks = op_of(tmp_path / "b", '.Output("h: variant").SetTypeConstructor([](OpDef* d) { return x; })')
    assert (remarks, op.outputs[0].get("full_type")) == ([], UNKNOWN)


def opdefs():
    """Return the OpDefs of a release, without text and full types, which no string states."""
    for op in released("tensorflow-2.18.1").ops.values():
        opdef = op_defs.write(op)
        for argument in (*opdef.input_arg, *opdef.output_arg):
            argument.ClearField("experimental_full_type")
            argument.ClearField("handle_data")
            argument.ClearField("description")
        for attr in opdef.attr:
            attr.ClearField("description")
        opdef.ClearField("summary")
        opdef.ClearField("description")
        yield opdef


def test_every_op_of_a_release_is_read_from_its_registration(tmp_path):
    every = list(opdefs())
    text = "\n".join(map(written_registrations.written, every))
    spec = in_build(tmp_path, "cpu", trees.registering(text))
    assert spec.remarks == ()
    stored = {opdef.name: opdef for opdef in every}
    assert spec.ops.keys() == stored.keys()
    for name, opdef in stored.items():
        assert op_defs.write(spec.ops[name]) == opdef, name


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_are_judged_like_those_of_an_op_list(tmp_path, seed):
    rng = random.Random(seed)  # noqa: S311 - no secret
    chosen = rng.sample([opdef for opdef in opdefs() if not opdef.name.startswith("_")], 30)
    edited = [written_registrations.edited(rng, opdef)[0] for opdef in chosen]
    sides = []
    for number, every in enumerate((chosen, edited)):
        text = "\n".join(map(written_registrations.written, every))
        sides.append(read(tmp_path / str(number), trees.registering(text)))
    oplists = [message("OpList")(op=every) for every in (chosen, edited)]
    listed = [op_lists.spec_of(oplist, "x") for oplist in oplists]
    assert sides[1].remarks == ()
    findings = [check(base, head).findings for base, head in (sides, listed)]
    refused = [{item.op for item in every if item.rule == "op_invalid"} for every in findings]
    assert refused[0] == refused[1]
    judged = [
        {
            (item.op, item.rule, item.level, item.message)
            for item in every
            if item.op and item.op not in refused[0] and not item.rule.startswith("op_flag")  # resources set one
        }
        for every in findings
    ]
    assert judged[0] == judged[1]
    assert len(judged[0]) > 15


def test_build_files_that_are_deleted_are_an_error(tmp_path):
    sources = {"x/a_ops.cc": 'REGISTER_OP("A").Input("x: float");', "x/b_ops.cc": 'REGISTER_OP("B").Input("x: float");'}
    base = read(tmp_path / "base", {**sources, "x/BUILD": 'cc_library(name = "k", srcs = ["a_ops.cc", "b_ops.cc"])'})
    head = read(tmp_path / "head", sources)
    (finding,) = check(base, head).findings
    assert (finding.rule, finding.level, finding.name) == ("op_unresolved", "error", "x/BUILD")
    assert "`x/a_ops.cc` and 1 more" in finding.message
    assert check(head, head).findings == ()

from __future__ import annotations

import re

import pytest
import yaml

from opspec_lint.spec.model import Origin, Update
from tests.support.trees.paddle_trees import attrs_of, declared_of, history_of, lost, read, reasons, remarks, shown
from tests.support.trees.paddle_yaml import CMAKE, GENERATOR, TREE, YAML, entry


def read_yaml(ops="", **others):
    texts = {f"{YAML}/{name}.yaml": text for name, text in others.items()}
    return read(TREE | {f"{YAML}/ops.yaml": ops} | texts)


def test_an_entry_becomes_an_op():
    result = read_yaml(
        entry(
            args='(Tensor x, Tensor[] ys, int axis = -1, float eps = 1e-5f, int[] shape = {1, 2}, str mode="ab")',
            output="Tensor(out), Tensor[](more){ys.size()}, Tensor(mask)",
            more="  optional : ys, mask\n  intermediate : mask",
        )
    )
    assert reasons(result) == {}
    assert shown(result) == (
        ["x", "ys*?"],
        ["out", "more*", "mask?!"],
        [
            "axis: INT = -1",
            "eps: FLOAT = 9.999999747378752e-06",
            "shape: INTS = (1, 2)",
            "mode: STRING = 'ab'",
        ],
    )


@pytest.mark.parametrize(
    ("args", "inputs", "attrs"),
    [
        ("(Tensor x, Scalar value = 0.5)", ["x", "ValueTensor?"], ["value: FLOAT = 0.5"]),
        ("(Tensor x, Scalar(int) k = 1)", ["x", "KTensor?"], ["k: INT = 1"]),
        (
            "(Tensor x, IntArray out_shape = {})",
            ["x", "OutShapeTensor?", "OutShapeTensorList*?"],
            ["out_shape: LONGS = ()"],
        ),
        ("(Tensor x, DataType dtype = DataType::FLOAT32)", ["x"], ["dtype: INT = 5"]),
        ("(Tensor x, DataType dtype = phi::DataType::UNDEFINED)", ["x"], ["dtype: INT = -1"]),
        ("(Tensor x, Place place = CPUPlace())", ["x"], ["place: INT = 1"]),
        ("(Tensor x, Place place = {})", ["x"], ["place: INT = 0"]),
        ("()", [], []),
    ],
)
def test_attrs_and_the_inputs_that_go_with_them(args, inputs, attrs):
    result = read_yaml(entry(args=args))
    assert reasons(result) == {}
    assert (shown(result)[0], attrs_of(result)) == (inputs, attrs)


def test_op_compat_renames_and_overrides():
    compat = """
- op : f_ (fluid_f)
  inputs : {x : X}
  outputs :
    out : Out
  attrs : {axis : dim}
  extra :
    outputs : [out]
    attrs : [bool use_it = false]
  scalar :
    value :
      data_type : std::string
      tensor_name : Given
    free :
      data_type : int
      support_tensor : true
  int_array :
    shape :
      data_type : int
      tensors_name : ShapeList
"""
    args = "(Tensor x, int axis, Scalar(double) value = 1e-5, Scalar free = 2, IntArray shape = {})"
    result = read_yaml(entry("f_", args), op_compat=compat)
    assert reasons(result) == {}
    assert shown(result, "fluid_f") == (
        ["X", "Given?", "ShapeList*?"],
        ["Out~"],
        ["dim: INT = None", "value: STRING = '1e-5'", "free: INT = 2 support_tensor", "shape: INTS = ()"],
    )


def test_sparse_ops_have_a_prefix_and_no_compat():
    result = read_yaml(op_compat="- op : f\n  inputs : {x : X}", sparse_ops=entry("f_"))
    assert shown(result, "sparse_f")[0] == ["x"]


def test_files_that_make_no_ops_and_entries_that_make_none():
    invoking = "- op : g\n  args : (Tensor x)\n  output : Tensor\n  invoke : f(x)\n"
    result = read_yaml(entry() + invoking + entry("h"), legacy_ops=entry("no"), exclude="- h_")
    assert (sorted(result.ops), result.without) == (["f"], ("g",))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (entry(args="(Tensor x, Strange a)"), "the type Strange of the argument 'a' is not known"),
        (entry(args="Tensor x"), "its args are not in parentheses"),
        (entry(args="(Tensor x, int a = b)"), "the default b of 'a' is unknown: the name b"),
        (entry(args="(Tensor x, DataType d = DataType::STRANGE)"), "the data type DataType::STRANGE is not known"),
        (entry(output="Strange(out)"), "the output 'Strange(out)' is not of the form"),
        ("- op : [f]\n", "an entry without its name"),
    ],
)
def test_an_entry_that_is_not_understood_is_unresolved(text, reason):
    result = read_yaml(entry("other") + text)
    assert sorted(result.ops) == ["other"]
    assert reason in lost(result)[0][3]
    assert lost(result)[0][1] == f"{YAML}/ops.yaml"
    assert lost(result)[0][2] >= 8


@pytest.mark.parametrize(
    "text", ["- op : f\n  args : &a (Tensor x)", "- *a", "[[[[", "- op : !!python/name:os f", "f: 1"]
)
def test_a_yaml_file_that_is_none_is_unresolved(text):
    result = read_yaml(text)
    assert result.ops == {}
    assert len(lost(result)) == 1


def test_a_file_that_the_build_names_and_that_is_missing_is_unresolved():
    tree = {path: text for path, text in TREE.items() if not path.endswith("/ops.yaml")}
    assert "does not exist" in lost(read(tree))[0][3]


def test_places_are_the_lines_of_the_arguments():
    result = read_yaml(entry("first") + entry(args="(Tensor x,\n          int axis)"))
    op = declared_of(result)
    assert op.origin == Origin(file=f"{YAML}/ops.yaml", line=9, column=8)
    places = [(argument.origin.line, argument.origin.column) for argument in (*op.inputs, *op.attrs, *op.outputs)]
    assert places == [(10, 18), (11, 15), (12, 19)]


def test_op_versions_of_yaml_and_those_that_match_nothing():
    versions = """
- op : f
  version :
    - checkpoint : Added two
      action :
        - add_attr : axis
          comment : the axis
          default : -1
        - add_input : Y
          comment : another
    - checkpoint : Mended
      action :
        - fix_bug : it
          comment : it was wrong
- op : g_
  version :
    - checkpoint : lost
      action :
        - delete_attr : a
          comment : gone
"""
    result = read_yaml(entry("f_"), op_version=versions, op_compat="- op : f (fluid_f)\n  data_type : x")
    (first, second), places = history_of(result, "fluid_f")
    assert [item.note for item in (first, second)] == ["Added two", "Mended"]
    assert first.updates == (
        Update(action="new", kind="attr", name="axis", remark="the axis", default_value=-1),
        Update(action="new", kind="input", name="Y", remark="another", default_value=None),
    )
    assert second.updates == (Update(action="bugfix", remark="it was wrong"),)
    assert [[place.line for place in item] for item in places] == [[4, 6, 9], [11, 13]]
    assert {place.file for item in places for place in item} == {f"{YAML}/op_version.yaml"}
    assert remarks(result, "op_version_dropped") == [("g_", "g_", f"{YAML}/op_version.yaml", 15)]
    assert remarks(result, "compat_key_unread") == [("f", "data_type", f"{YAML}/op_compat.yaml", 2)]


def test_a_generator_that_was_never_compared_is_reported_to_be_unknown():
    result = read_yaml(entry())
    ((op, fingerprint, file, line),) = remarks(result, "yaml_generator_unknown")
    assert (op, len(fingerprint), file, line) == (None, 16, f"{GENERATOR}/CMakeLists.txt", 1)


def faults(result):
    """Return the faults of YAML files: the op, the problem, the file and the line."""
    wrong = (remark for remark in result.remarks if remark["event"] == "yaml_entry_wrong")
    return [
        (item["op"], item["facts"]["problem"], item["place"][0].rpartition("/")[2], item["place"][1]) for item in wrong
    ]


COMPAT = """
- op : f (fluid_f)
  backward : f_grad (fluid_f_grad), f_double_grad
  inputs : {x : X, out_grad : G}
  attrs :
    axis : dim
    later : Later
  outputs : {out : Out}
  extra :
    outputs : [out]
    attrs : [float Later = 1.0f]
  scalar :
    value : {data_type : float, support_tensor : true}
  int_array :
    shape : {data_type : int, tensors_name : Shapes}
  drop_empty_grad : [x_grad]
  manual_signature : [f]
- op : registered (in_cpp)
  inputs : {x : X}
"""
SOUND = entry(
    args="(Tensor x, Tensor[] ys, int axis, Scalar value, IntArray shape, DataType dtype)",
    output="Tensor(out), Tensor(mask)",
    more="    param : [x, true, axis]\n    data_type : x > complex(dtype)\n    layout : x, ys\n    backend : PickOne\n"
    "    use_gpudnn : true\n"
    "  optional : ys, mask\n  intermediate : mask\n  no_need_buffer : x\n  inplace : (x -> out), (ys -> mask)\n"
    "  data_transform :\n    skip_transform : x, ys\n  traits : t",
)
BACKWARD = """
- backward_op : f_grad
  forward : f (Tensor x) -> Tensor(out)
  args : (Tensor x, Tensor out_grad)
  output : Tensor(x_grad)
  backward : f_double_grad
- backward_op : f_double_grad
  args : (Tensor x)
  output : Tensor(x_grad_grad)
"""
VERSION = """
- op : f
  version :
    - checkpoint : Added one
      action :
        - add_attr : axis
          comment : the axis
          default : -1
"""
IN_CPP = {"paddle/fluid/operators/in_cpp_op.cc": "REGISTER_OPERATOR(in_cpp, framework::OperatorBase);"}


def read_faults(ops=SOUND, compat=COMPAT, version=VERSION, backward=BACKWARD):
    calls = CMAKE.replace("legacy_ops.yaml", "backward.yaml")
    texts = {"ops": ops, "op_compat": compat, "op_version": version, "backward": backward}
    files = {f"{YAML}/{name}.yaml": text for name, text in texts.items()}
    return faults(read(TREE | {f"{GENERATOR}/CMakeLists.txt": calls} | IN_CPP | files, "all"))


def test_entries_that_are_sound_have_no_faults():
    assert read_faults() == []


def test_the_order_of_keys_is_no_fault():
    ops, backward = (yaml.safe_dump(yaml.safe_load(text)) for text in (SOUND, BACKWARD))
    assert not ops.startswith("- op")
    assert read_faults(ops, backward=backward) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("optional : ys", "optinal : ys", "has the unknown key 'optinal'"),
        ("optional : ys", "optional : z", "names 'z' under 'optional', which is not one of its inputs or outputs"),
        (
            "optional : ys",
            "optional : axis",
            "names 'axis' under 'optional', which is not one of its inputs or outputs",
        ),
        (
            "intermediate : mask",
            "intermediate : ys",
            "names 'ys' under 'intermediate', which is not one of its outputs",
        ),
        (
            "no_need_buffer : x",
            "no_need_buffer : axis",
            "names 'axis' under 'no_need_buffer', which is not one of its inputs",
        ),
        ("inplace : (x", "inplace : (xx", "names 'xx' under 'inplace', which is not one of its inputs"),
        ("(ys -> mask)", "(ys -> masc)", "names 'masc' under 'inplace', which is not one of its outputs"),
        ("skip_transform : x", "skip_transform : axis", "names 'axis' under 'data_transform.skip_transform'"),
        ("skip_transform", "skip_transforms", "has the unknown key 'data_transform.skip_transforms'"),
        ("    func : M", "    fun : M", "has the unknown key 'infer_meta.fun'"),
        ("    layout", "    layuot", "has the unknown key 'kernel.layuot'"),
        (
            "complex(dtype)",
            "complex(type)",
            "names 'type' under 'kernel.data_type', which is not one of its inputs or attrs",
        ),
        (
            "layout : x, ys",
            "layout : x, yy",
            "names 'yy' under 'kernel.layout', which is not one of its inputs or attrs",
        ),
        ("  traits : t", "  traits : t\n  traits : u", "has the key 'traits' twice, and only the last one counts"),
    ],
)
def test_a_fault_in_an_entry_of_an_op_is_named_with_its_line(old, new, problem):
    text = "# one line before\n" + SOUND.replace(old, new)
    changed = [number for number, line in enumerate(text.splitlines(), 1) if line not in SOUND.splitlines()]
    ((op, result, file, line),) = read_faults(text)
    assert (op, file) == ("f", "ops.yaml")
    assert problem in result
    assert line in changed[1:] or "twice" in problem


@pytest.mark.parametrize(
    ("old", "new", "op", "problem"),
    [
        ("- op : registered (in_cpp)", "- op : nowhere (neither)", "nowhere", "matches no op"),
        ("inputs : {x :", "inputs : {z :", "f", "names 'z' under 'inputs', which is not one of its inputs"),
        ("inputs : {x :", "inputs : {axis :", "f", "names 'axis' under 'inputs', which is not one of its inputs"),
        (
            "outputs : [out]",
            "outputs : [Out]",
            "f",
            "names 'Out' under 'extra.outputs', which is not one of its outputs",
        ),
        ("    later : Later", "    late : Late", "f", "names 'late' under 'attrs', which is not one of its attrs"),
        ("    value : {", "    kk : {", "f", "names 'kk' under 'scalar', which is not one of its attrs"),
        ("    value : {", "    axis : {", "f", "names 'axis' under 'scalar', which is of type int"),
        ("    shape : {", "    value : {", "f", "names 'value' under 'int_array', which is of type Scalar"),
        ("  scalar :\n    value : {data_type : float, support_tensor : true}", "  scalar : kk", "f", "under 'scalar'"),
        (
            "  extra :\n    outputs",
            "  extra : []\n  inputs2 :\n    outputs",
            "f",
            "does not have a mapping under 'extra'",
        ),
        ("f_double_grad", "f_triple_grad", "f", "names the op 'f_triple_grad', which does not exist"),
        ("[f]", "[g]", "f", "names the op 'g', which does not exist"),
        ("  manual_signature", "  inputs : {x : Y}\n  manual_signature", "f", "has the key 'inputs' twice"),
    ],
)
def test_a_fault_in_op_compat_is_named_with_its_line(old, new, op, problem):
    text = COMPAT.replace(old, new)
    changed = [number for number, line in enumerate(text.splitlines(), 1) if line not in COMPAT.splitlines()]
    faults = [fault for fault in read_faults(compat=text) if problem in fault[1]]
    assert [(fault[0], fault[2]) for fault in faults] == [(op, "op_compat.yaml")]
    assert faults[0][3] in changed


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("add_attr", "add_atr", "has the unknown action 'add_atr'"),
        ("comment", "coment", "has the unknown key 'coment'"),
        ("checkpoint", "chekpoint", "has the unknown key 'chekpoint' in a checkpoint"),
        ("version :", "versions :", "has the unknown key 'versions'"),
        ("- add_attr : axis\n          comment", "- comment", "has an action that does nothing"),
    ],
)
def test_a_fault_in_op_version_is_named_with_its_line(old, new, problem):
    text = VERSION.replace(old, new)
    changed = next(number for number, line in enumerate(text.splitlines(), 1) if line not in VERSION.splitlines())
    assert read_faults(version=text) == [("f", problem, "op_version.yaml", changed)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ops", SOUND + entry("f_") + SOUND),
        ("backward", BACKWARD + BACKWARD),
        ("compat", COMPAT + COMPAT),
        ("version", VERSION + VERSION),
    ],
)
def test_an_op_that_has_two_entries_in_a_file_is_named_with_the_line_of_the_second(name, text):
    (op, problem, _, line), *others = [fault for fault in read_faults(**{name: text}) if "second" in fault[1]]
    lines = [at for at, written in enumerate(text.splitlines(), 1) if re.match(r"- \w*op *: *f(_grad)?\b", written)]
    assert (op in {"f", "f_grad"}, problem, line) == (True, "is the second one of the op there", lines[1])
    assert len(others) == len(re.findall("^- ", text, re.MULTILINE)) // 2 - 1


@pytest.mark.parametrize("named", ["no_grad", "f_grad, no_grad", "no_grad(fluid_no_grad)"])
def test_the_backward_op_of_an_entry_has_to_exist(named):
    text = SOUND + f"  backward : {named}\n"
    problem = "names the op 'no_grad', which does not exist"
    assert read_faults(text) == [("f", problem, "ops.yaml", text.count("\n"))]
    assert read_faults(SOUND + "  backward : f_grad\n") == []
    assert read_faults(SOUND + "  backward : in_cpp\n") == []


def test_what_is_extra_of_an_op_in_cpp_is_called_as_it_is_there():
    compat = "- op : f (in_cpp)\n  extra :\n    outputs : [XShape]\n- op : g\n  extra :\n    outputs : [XShape]\n"
    files = IN_CPP | {f"{YAML}/ops.yaml": entry() + entry("g"), f"{YAML}/op_compat.yaml": compat}
    problem = "names 'XShape' under 'extra.outputs', which is not one of its outputs"
    assert faults(read(TREE | files, "all")) == [("g", problem, "op_compat.yaml", 6)]
    assert faults(read(TREE | files, "cpu")) == []


def test_a_sparse_op_does_not_represent_another_of_its_name():
    compat = "- op : g\n  inputs : {z : Z}\n- op : sparse_g\n  inputs : {z : Z}\n- op : h\n"
    result = faults(read_yaml(entry(), op_compat=compat, sparse_ops=entry("g") + entry("h_")))
    assert result == [("sparse_g", "names 'z' under 'inputs', which is not one of its inputs", "op_compat.yaml", 4)]


def test_a_key_that_the_generator_of_the_tree_reads_is_known():
    reading = {f"{GENERATOR}/parse_utils.py": "item[\"name\"][-1] != '_' and 'novel' in op_entry"}
    text = entry(more="  novel : x\n  optinal : x")
    assert faults(read(TREE | reading | {f"{YAML}/ops.yaml": text})) == [
        ("f", "has the unknown key 'optinal'", "ops.yaml", 9)
    ]

from __future__ import annotations

import pytest
from paddle_trees import attrs_of, read, reasons, shown

GENERATOR = "paddle/fluid/operators/generator"
YAML = "paddle/phi/ops/yaml"

CMAKE = """
# generator/ops.yaml in a comment is nothing
set(yaml_dir ${CMAKE_SOURCE_DIR}/paddle/phi/ops/yaml)
set(op_yaml_file ${yaml_dir}/ops.yaml)
execute_process(
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/paddle/fluid/operators/generator
  COMMAND ${PYTHON_EXECUTABLE} parse_op.py --op_yaml_path ${op_yaml_file}
          --output_path ./parsed/ops.parsed.yaml
  COMMAND ${PYTHON_EXECUTABLE} parse_op.py --op_yaml_path ${yaml_dir}/legacy_ops.yaml --output_path ./parsed/no.yaml
  COMMAND ${PYTHON_EXECUTABLE} parse_op.py --op_yaml_path ${yaml_dir}/sparse_ops.yaml
          --output_path ./parsed/sparse_ops.parsed.yaml)
execute_process(
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/paddle/fluid/operators/generator
  COMMAND ${PYTHON_EXECUTABLE} generate_op.py --ops_yaml_path ./parsed/ops.parsed.yaml
    --op_version_yaml_path ${yaml_dir}/op_version.yaml
    --op_compat_yaml_path ${yaml_dir}/op_compat.yaml --ops_exclude_yaml_path ${yaml_dir}/exclude.yaml
  RESULT_VARIABLE _result)
execute_process(
  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/paddle/fluid/operators/generator
  COMMAND ${PYTHON_EXECUTABLE} generate_sparse_op.py --ops_yaml_path ./parsed/sparse_ops.parsed.yaml)
"""

TEMPLATE = """
{% macro op_maker(op) %}{% if attr["fluid_name"] %}{% endif %}{% endmacro %}
{% macro add_input(i, input) %} input["is_extra"] {% endmacro %}
{% macro add_output(i, output) %} output["optional"] "is_extra" {% endmacro %}
{% macro add_attr(i, attr) %} is_support_tensor support_tensor {% endmacro %}
"""

SCRIPT = """
def process_scalar(op, scalar_configs): 'Scalar(double)'; 'std::string'; 'tensor_name' in scalar_config
def process_int_array(op, int_array_configs): pass
def to_phi_and_fluid_op_name_without_underline(op): pass
"""

TYPES = """
opmaker_attr_types_map = {
    'IntArray': 'std::vector<int64_t>',
    'Scalar': 'float',
    'Scalar(int)': 'int',
    'Scalar(double)': 'double',
    'Scalar[]': 'std::vector<Scalar>',
    'DataType': 'int',
    'Place': 'int',
    'int': 'int',
    'float': 'float',
    'bool': 'bool',
    'str': 'std::string',
    'int[]': 'std::vector<int>',
}
"""

TREE = {
    f"{GENERATOR}/CMakeLists.txt": CMAKE,
    f"{GENERATOR}/generate_op.py": SCRIPT,
    f"{GENERATOR}/generate_sparse_op.py": "if op['name'][-1] == '_': pass",
    f"{GENERATOR}/parse_utils.py": "item[\"name\"][-1] != '_'",
    f"{GENERATOR}/type_mapping.py": TYPES,
    f"{GENERATOR}/templates/operator_utils.c.j2": TEMPLATE,
    f"{YAML}/ops.yaml": "",
    f"{YAML}/op_compat.yaml": "",
    f"{YAML}/op_version.yaml": "",
    f"{YAML}/sparse_ops.yaml": "",
    "paddle/phi/common/place.h": "enum class AllocationType : int8_t { UNDEFINED = 0, CPU = 1, GPU };",
}


def read_yaml(ops="", **others):
    texts = {f"{YAML}/{name}.yaml": text for name, text in others.items()}
    return read(TREE | {f"{YAML}/ops.yaml": ops} | texts)


def entry(name="f", args="(Tensor x)", output="Tensor(out)", more=""):
    rest = f"  infer_meta :\n    func : M\n  kernel :\n    func : k\n{more}\n"
    return f"- op : {name}\n  args : {args}\n  output : {output}\n{rest}"


def test_an_entry_becomes_an_op():
    found = read_yaml(
        entry(
            args='(Tensor x, Tensor[] ys, int axis = -1, float eps = 1e-5f, int[] shape = {1, 2}, str mode="ab")',
            output="Tensor(out), Tensor[](more){ys.size()}, Tensor(mask)",
            more="  optional : ys, mask\n  intermediate : mask",
        )
    )
    assert reasons(found) == {}
    assert shown(found) == (
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
    found = read_yaml(entry(args=args))
    assert reasons(found) == {}
    assert (shown(found)[0], attrs_of(found)) == (inputs, attrs)


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
    found = read_yaml(entry("f_", args), op_compat=compat)
    assert reasons(found) == {}
    assert shown(found, "fluid_f") == (
        ["X", "Given?", "ShapeList*?"],
        ["Out~"],
        ["dim: INT = None", "value: STRING = '1e-5'", "free: INT = 2", "shape: INTS = ()"],
    )


def test_sparse_ops_have_a_prefix_and_no_compat():
    found = read_yaml(op_compat="- op : f\n  inputs : {x : X}", sparse_ops=entry("f_"))
    assert shown(found, "sparse_f")[0] == ["x"]


def test_files_that_make_no_ops_and_entries_that_make_none():
    invoking = "- op : g\n  args : (Tensor x)\n  output : Tensor\n  invoke : f(x)\n"
    found = read_yaml(entry() + invoking + entry("h"), legacy_ops=entry("no"), exclude="- h_")
    assert (sorted(found.ops), found.without) == (["f"], ["g"])


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
    found = read_yaml(entry("other") + text)
    assert sorted(found.ops) == ["other"]
    assert reason in found.unresolved[0][3]
    assert found.unresolved[0][1] == f"{YAML}/ops.yaml"
    assert found.unresolved[0][2] >= 8


@pytest.mark.parametrize(
    "text", ["- op : f\n  args : &a (Tensor x)", "- *a", "[[[[", "- op : !!python/name:os f", "f: 1"]
)
def test_a_yaml_file_that_is_none_is_unresolved(text):
    found = read_yaml(text)
    assert found.ops == {}
    assert len(found.unresolved) == 1


def test_a_file_that_the_build_names_and_that_is_missing_is_unresolved():
    tree = {path: text for path, text in TREE.items() if not path.endswith("/ops.yaml")}
    assert "is not there" in read(tree).unresolved[0][3]


def test_places_are_the_lines_of_the_arguments():
    found = read_yaml(entry("first") + entry(args="(Tensor x,\n          int axis)"))
    path, line, column, inputs, outputs, attrs = found.ops["f"][0]
    assert (path, line, column) == (f"{YAML}/ops.yaml", 9, 8)
    assert inputs[0][-2:] == (10, 18)
    assert attrs[0][-2:] == (11, 15)
    assert outputs[0][-2:] == (12, 19)


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
    found = read_yaml(entry("f_"), op_version=versions, op_compat="- op : f (fluid_f)\n  data_type : x")
    op, file, line, _, checkpoints = found.histories["fluid_f"]
    assert (op, file, line) == ("fluid_f", f"{YAML}/op_version.yaml", 2)
    assert [note for note, _, _ in checkpoints] == ["Added two", "Mended"]
    assert [update[:5] for update in checkpoints[0][1]] == [
        ("new", "attr", "axis", "the axis", -1),
        ("new", "input", "Y", "another", None),
    ]
    assert checkpoints[1][1][0][:2] == ("bugfix", None)
    assert found.dropped == [("g_", f"{YAML}/op_version.yaml", 15)]
    assert found.misspelt == [("f (fluid_f)", "data_type", f"{YAML}/op_compat.yaml", 2)]


def test_a_generator_that_was_never_compared_is_said_to_be_unknown():
    found = read_yaml(entry())
    assert found.strange_generator == (f"{GENERATOR}/CMakeLists.txt", found.fingerprint)

"""A small tree in the manner of Paddle's whose ops are declared in YAML."""

from __future__ import annotations

from tests.support.trees.paddle_trees import BASE, OPERATORS, maker_file

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


def entry(name="f", args="(Tensor x)", output="Tensor(out)", more=""):
    rest = f"  infer_meta :\n    func : M\n  kernel :\n    func : k\n{more}\n"
    return f"- op : {name}\n  args : {args}\n  output : {output}\n{rest}"


PARTS = {
    "f.cc": f"{OPERATORS}/f_op.cc",
    "ops.yaml": f"{YAML}/ops.yaml",
    "op_compat.yaml": f"{YAML}/op_compat.yaml",
    "op_version.yaml": f"{YAML}/op_version.yaml",
    "generate_op.py": f"{GENERATOR}/generate_op.py",
}
"""The files that a scene may state parts of; of `f.cc` it states what the maker of the op `f` does."""


def of_parts(parts):
    """Return a tree with the parts of files that a scene states: an op `f` is in YAML, or in C++, and `g` in YAML."""
    changed = entry("g") if "f.cc" in parts else entry(args="(Tensor x, float a)")
    files = BASE | TREE | {PARTS["ops.yaml"]: changed}
    return files | {PARTS[name]: maker_file(text) if name == "f.cc" else text for name, text in parts.items()}

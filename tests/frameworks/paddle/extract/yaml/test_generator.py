"""The use of YAML files by the build, and the rules of the generator as its files state them."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.extract.yaml.generator import CMAKE, FOLDERS, fingerprint, read

NEW, OLD = FOLDERS[0], FOLDERS[2]


def ignore(paths):
    """Nothing is to be read ahead."""
    del paths


def generator(files, folder=NEW, cmake=CMAKE[0], script="x generate_op.py"):
    tree = {cmake: script, f"{folder}/generate_op.py": ""} | {f"{folder}/{name}": text for name, text in files.items()}
    return read(tree.get, ignore)


def steps(script, cmake=CMAKE[0]):
    return generator({}, cmake=cmake, script=script).steps


def rules(**files):
    return generator({name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()}).rules


@pytest.mark.parametrize("cmake", CMAKE)
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_place_where_a_generator_has_been(cmake, folder):
    result = generator({"parse_utils.py": "x"}, folder, cmake)
    assert (result.cmake, sorted(result.parts)) == (cmake, [f"{folder}/generate_op.py", f"{folder}/parse_utils.py"])


def test_the_newest_place_comes_first():
    files = {f"{folder}/generate_op.py": folder for folder in FOLDERS} | dict.fromkeys(CMAKE, "generate_op.py")
    result = read(files.get, ignore)
    assert (result.cmake, sorted(result.parts)) == (CMAKE[0], [f"{NEW}/generate_op.py"])
    files[CMAKE[0]] = "nothing"
    del files[f"{NEW}/generate_op.py"]
    result = read(files.get, ignore)
    assert (result.cmake, sorted(result.parts)) == (CMAKE[1], [f"{FOLDERS[1]}/generate_op.py"])


def test_a_tree_without_one_has_none():
    assert read({CMAKE[0]: "generate_op.py"}.get, ignore) is None
    assert read({f"{NEW}/generate_op.py": "", CMAKE[0]: "x"}.get, ignore) is None
    assert read({f"{NEW}/generate_op.py": ""}.get, ignore) is None


def test_what_is_requested_is_read_ahead():
    ahead = []
    read({}.get, ahead.extend)
    assert {*CMAKE, f"{NEW}/generate_op.py", f"{NEW}/templates/op.c.j2"} <= {*ahead}
    assert not any(path.startswith(OLD) for path in ahead)


def test_the_calls_of_the_build():
    script = """
    set(out "./parsed") # --op_yaml_path nothing.yaml
    set(yaml ${CMAKE_SOURCE_DIR}/paddle/yaml CACHE PATH x)
    execute_process(
      WORKING_DIRECTORY ${PADDLE_SOURCE_DIR}/paddle/work
      COMMAND python parse_op.py --op_yaml_path ${yaml}/ops.yaml --output_path ${out}/ops.yaml
      COMMAND python parse_op.py --op_yaml_path ${yaml}/back.yaml --output_path ${out}/back.yaml --backward
      COMMAND python parse_op.py --op_yaml_path ${yaml}/lost.yaml)
    execute_process(
      WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/paddle/work
      COMMAND python generate_op.py --ops_yaml_path ./parsed/ops.yaml --backward_yaml_path ./parsed/back.yaml
        --op_version_yaml_path ../versions.yaml --op_compat_yaml_path "${yaml}/compat.yaml"
        --ops_exclude_yaml_path excluded.yaml more.yaml --output_op_path ${OUT}/x.cc
      RESULTS_VARIABLE --api_version_yaml_path no.yaml)
    execute_process(COMMAND python generate_sparse_op.py --ops_yaml_path /paddle/sparse.yaml
      --backward_ops_yaml_path /paddle/sparse_back.yaml RESULT_VARIABLE x)
    """
    dense, sparse = steps(script)
    assert (dense.script, dense.sparse, dense.ops) == ("generate_op.py", False, "paddle/yaml/ops.yaml")
    assert (dense.compat, dense.versions) == ("paddle/yaml/compat.yaml", "paddle/versions.yaml")
    assert (dense.excluded, dense.backward) == ("paddle/work/excluded.yaml", "paddle/yaml/back.yaml")
    assert dense.options == {
        "ops_yaml_path": "paddle/yaml/ops.yaml",
        "backward_yaml_path": "paddle/yaml/back.yaml",
        "op_version_yaml_path": "paddle/versions.yaml",
        "op_compat_yaml_path": "paddle/yaml/compat.yaml",
        "ops_exclude_yaml_path": "paddle/work/excluded.yaml",
        "output_op_path": "${OUT}/x.cc",
    }
    assert (sparse.script, sparse.sparse, sparse.ops) == ("generate_sparse_op.py", True, "paddle/sparse.yaml")
    assert (sparse.compat, sparse.versions, sparse.excluded) == (None, None, None)
    assert sparse.backward == "paddle/sparse_back.yaml"


def test_the_calls_of_2022():
    (step,) = steps(
        "execute_process(COMMAND parse_api.py --api_yaml_path /a.yaml --output_path /p.yaml)\n"
        "execute_process(COMMAND generate_op.py --api_yaml_path /p.yaml --backward_api_yaml_path /b.yaml "
        "--api_version_yaml_path /v.yaml --api_compat_yaml_path /c.yaml)",
        CMAKE[1],
    )
    assert (step.ops, step.backward, step.versions, step.compat) == ("a.yaml", "b.yaml", "v.yaml", "c.yaml")


def test_a_call_without_companions():
    (step,) = steps("generate_op.py --ops_yaml_path /x.yaml")
    assert (step.ops, step.compat, step.versions, step.excluded, step.backward) == ("x.yaml", None, None, None, None)


def test_variables_that_represent_others():
    (step,) = steps('set(a "/x")\nset(b ${a}/y)\ngenerate_op.py --ops_yaml_path ${b}/z.yaml')
    assert step.ops == "x/y/z.yaml"


MAKER, INPUT, OUTPUT, ATTR = (
    f"{{%% macro {name}(x) %%}}%s{{%% endmacro %%}}\n" for name in ("op_maker", "add_input", "add_output", "add_attr")
)
TEMPLATE = "templates__operator_utils_dot_c_dot_j2"


@pytest.mark.parametrize(
    ("rule", "files", "absent"),
    [
        ("grad_inputs", {TEMPLATE: INPUT % "to_opmaker_name"}, {TEMPLATE: OUTPUT % "to_opmaker_name"}),
        ("grad_outputs", {TEMPLATE: OUTPUT % "to_opmaker_name"}, {TEMPLATE: INPUT % "to_opmaker_name"}),
        ("optional_outputs", {TEMPLATE: OUTPUT % 'output["optional"]'}, {TEMPLATE: INPUT % 'output["optional"]'}),
        ("extra_inputs", {TEMPLATE: INPUT % "is_extra"}, {TEMPLATE: OUTPUT % "is_extra"}),
        ("extra_outputs", {TEMPLATE: OUTPUT % "is_extra"}, {TEMPLATE: INPUT % "is_extra"}),
        ("keeps_all_attrs", {TEMPLATE: MAKER % "all"}, {TEMPLATE: MAKER % '["kernel"]["param"]'}),
        ("support_tensor", {TEMPLATE: ATTR % "support_tensor"}, {TEMPLATE: INPUT % "support_tensor"}),
        ("scalars", {"generate_op_dot_py": "scalar_configs"}, {}),
        ("int_arrays", {"generate_op_dot_py": "int_array_configs"}, {}),
        ("needs_tensor_name", {}, {"generate_op_dot_py": "if 'tensor_name' in scalar_config"}),
        ("sparse_renames", {"generate_sparse_op_dot_py": "data_layout"}, {"generate_op_dot_py": "data_layout"}),
        (
            "pascal_case",
            {"filters_dot_py": "def to_opmaker_name(s):\n    return to_pascal_case(s)\n"},
            {"filters_dot_py": "def to_opmaker_name(s):\n    return s\ndef f(s):\n    return to_pascal_case(s)\n"},
        ),
        ("strips", {"parse_utils_dot_py": "name[-1] != '_'"}, {"generate_sparse_op_dot_py": "name[-1] != '_'"}),
        ("strips_sparse", {"generate_sparse_op_dot_py": "name[-1] == '_'"}, {"parse_utils_dot_py": "x[-1] == '_'"}),
        ("strips_compat", {"generate_op_dot_py": "name_without_underline"}, {}),
        (
            "quotes",
            {"generate_op_dot_py": "'Scalar(double)' std::string"},
            {"generate_op_dot_py": "'Scalar(double)'"},
        ),
    ],
)
def test_a_rule_is_read_off_the_file_that_has_it(rule, files, absent):
    assert getattr(rules(**files), rule) is True
    assert getattr(rules(**absent), rule) is False


def test_a_generator_quotes_what_is_no_double_only_if_it_reports_it():
    assert rules(generate_op_dot_py="std::string").quotes is False


def test_the_types_of_attrs():
    mapping = "other = {'no': 'x'}\nopmaker_attr_types_map = {\n 'int': 'int',\n 'str' : 'std::string' }\n# {'a': 'b'}"
    assert rules(type_mapping_dot_py=mapping).types == {"int": "int", "str": "std::string"}
    assert rules().types == {}


def test_generators_that_work_alike_have_the_same_fingerprint():
    plain = generator({"parse_utils.py": "a = 1\nb = 2"})
    same = generator({"parse_utils.py": "a = 1  # comment\n\n\nb   = 2"}, OLD)
    another = generator({"parse_utils.py": "a = 1\nb = 3"})
    elsewhere = generator({"filters.py": "a = 1\nb = 2"})
    hashed = generator({"templates/op.c.j2": "#a"}), generator({"templates/op.c.j2": "#b"})
    assert fingerprint(plain) == fingerprint(same)
    assert len({fingerprint(item) for item in (plain, another, elsewhere, *hashed)}) == 5
    assert len(fingerprint(plain)) == 16

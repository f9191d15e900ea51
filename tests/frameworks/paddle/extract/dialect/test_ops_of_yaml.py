"""The PIR ops that entries in YAML declare."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.extract.dialect import extraction
from tests.support.trees.paddle_trees import Memory, lost, reasons, remarks
from tests.support.trees.pir_trees import (
    BASE,
    DIALECT,
    GENERATOR,
    HAND,
    HAND_CODE,
    HAND_HEADER,
    SCRIPT,
    YAML,
    read,
    shown,
    spec_of,
)

ROUND = "- op : round\n  args : (Tensor x, int decimals = 0)\n  output : Tensor(out)\n"
TENSOR = "DenseTensorType"


def test_an_op_has_inputs_by_position_and_attrs_with_the_types_of_the_dialect():
    result = read(
        """
- op : f
  args : (Tensor x, Tensor[] y, Tensor z, str mode = "ab", float eps = 1e-5f, int[] axes = {1, 2}, int k)
  output : Tensor(out), Tensor[](more){y.size()}, Tensor(mask)
  optional : z
  intermediate : mask
"""
    )
    assert reasons(result) == {}
    assert shown(result.ops["pd_op.f"]) == (
        [f"x: {TENSOR}", f"y*: VectorType<{TENSOR}>", f"z?: {TENSOR}"],
        [f"out: {TENSOR}", f"more*: VectorType<{TENSOR}>", f"mask?~: {TENSOR}"],
        [
            "mode: StrAttribute = 'ab'",
            "eps: FloatAttribute = 9.999999747378752e-06",
            "axes: ArrayAttribute<Int32Attribute> = (1, 2)",
            "k: Int32Attribute",
        ],
    )


def test_names_of_enumerators_are_default_values_as_they_are():
    result = read(
        "- op : f\n  args : (DataType t = DataType::FLOAT32, Place p = CPUPlace(), Place q = {})\n  output :\n"
    )
    assert shown(result.ops["pd_op.f"])[2] == [
        "t: DataTypeAttribute = 'FLOAT32'",
        "p: PlaceAttribute = 'CPUPlace()'",
        "q: PlaceAttribute = 'Place()'",
    ]


@pytest.mark.parametrize(
    ("entry", "names"),
    [
        ("- op : f\n  args : (Tensor x)\n  output : Tensor\n  inplace : (x -> out)\n", {"pd_op.f", "pd_op.f_"}),
        ("- op : f\n  args : (Tensor x)\n  output : Tensor\n  view : (x -> out)\n", {"pd_op.f", "pd_op.f_"}),
        ("- op : f_\n  args : (Tensor x)\n  output : Tensor\n  inplace : (x -> out)\n", {"pd_op.f_"}),
        ("- op : f\n  args : (Tensor x)\n  output : Tensor\n  inplace : (x -> out)\n  invoke : g(x)\n", {"pd_op.f"}),
        ("- op : by_hand\n  args : (Tensor x)\n  output : Tensor\n", set()),
        ("- op : also_by_hand\n  args : (Tensor x)\n  output : Tensor\n  view : (x -> out)\n", {"pd_op.also_by_hand"}),
    ],
)
def test_an_entry_is_as_many_ops_as_the_generator_makes_of_it(entry, names):
    result = read(entry)
    assert set(result.ops) == names
    assert lost(result) == []


def test_an_output_in_the_place_of_an_optional_input_is_optional():
    entry = "- op : f\n  args : (Tensor x)\n  output : Tensor(out)\n  optional : x\n  inplace : (x -> out)\n"
    assert shown(read(entry).ops["pd_op.f_"])[1] == [f"out?: {TENSOR}"]
    older = {f"{GENERATOR}/op_gen.py": SCRIPT.replace("refine_output_optional_list", "")}
    assert shown(read(entry, files=older).ops["pd_op.f_"])[1] == [f"out: {TENSOR}"]


def test_several_kernels_are_a_single_op_each_with_their_own_types():
    entry = """
- op : f
  args : (Tensor x)
  output : Tensor(out)
  kernel :
    func : f {dense -> dense}, f_sr {selected_rows -> selected_rows}
  inplace : (x -> out)
"""
    result = read(entry)
    assert set(result.ops) == {"pd_op.f", "pd_op.f_", "pd_op.f_sr", "pd_op.f_sr_"}
    assert shown(result.ops["pd_op.f_sr_"])[:2] == (["x: SelectedRowsType"], ["out: SelectedRowsType"])
    kernels = {name: op.get("kernel_of") for name, (op, _) in result.ops.items()}
    assert kernels == {"pd_op.f": "f", "pd_op.f_sr": "f", "pd_op.f_": "f_", "pd_op.f_sr_": "f_"}
    older = {f"{GENERATOR}/op_gen.py": SCRIPT.replace("len(func_list) == 1", "")}
    assert set(read(entry, files=older).ops) == {"pd_op.f", "pd_op.f_"}


def test_names_of_the_translation_are_those_of_its_tables_and_of_its_script():
    script = 'op_name_mappings["f_v1"] = "f"\nop_arg_name_mappings["f_v1"] = {"x": "Input"}\nsparse_op_yaml_file\n'
    files = {
        "paddle/fluid/ir_adaptor/translator/op_compat_gen.py": script,
        f"{YAML}/sparse.yaml": "- op : g\n  args : (Tensor x)\n  output : Tensor(out)\n  kernel :\n"
        "    func : g_coo {sparse_coo -> sparse_coo}, g_csr {sparse_csr -> sparse_csr}\n",
        f"{YAML}/op_compat.yaml": "- op : f (f_v2)\n  inputs :\n    x : X\n",
    }
    result = read("- op : f\n  args : (Tensor x)\n  output : Tensor(out)\n", files=files)
    ops = spec_of(result).ops
    f, g = ops["pd_op.f"], ops["pd_op.g_csr_sp"]
    assert (f.get("legacy_names"), f.get("other_legacy_names")) == (("f_v1", "f_v2"), (("f_v2", "x", "X"),))
    assert f.inputs[0].get("legacy_name") == "Input"
    assert (g.get("legacy_names"), g.get("kernel_of")) == (("sparse_g",), "g_sp")


COMPAT = """
- op : ff (fluid_ff)
  backward : ff_grad (fluid_ff_grad), ff_double_grad
  scalar :
    value :
      data_type : double
      tensor_name : ValueTensor
    stays :
      data_type : int64_t
  int_array :
    shape :
      data_type : int64_t
      support_tensor : true
"""
WITH_ATTRS = """
- op : ff
  args : (Tensor x, Scalar stays = 3, IntArray shape = {2}, Scalar value = 1, Scalar(int) other = 4)
  output : Tensor(out)
"""


def test_attrs_whose_place_tensors_may_take_are_inputs_behind_the_others_in_the_order_of_the_entry():
    assert shown(read(WITH_ATTRS, COMPAT).ops["pd_op.ff"]) == (
        [f"x: {TENSOR}", "shape#: IntArrayAttribute = (2,)", "value#: ScalarAttribute<double> = 1.0"],
        [f"out: {TENSOR}"],
        ["stays: ScalarAttribute<int64_t> = 3", "other: ScalarAttribute<int> = 4"],
    )


def test_an_older_generator_makes_all_of_them_inputs():
    older = {f"{GENERATOR}/op_gen.py": SCRIPT.replace("is_mutable_attribute", "")}
    assert len(shown(read(WITH_ATTRS, COMPAT, older).ops["pd_op.ff"])[0]) == 4


def test_a_grad_op_has_the_entry_of_its_forward_op():
    backward = (
        "- backward_op : {}\n  forward : ff(Tensor x, Scalar value) -> Tensor(out)\n  args : (Scalar value)\n  output :"
    )
    for name, inputs in (("ff_grad", 1), ("ff_double_grad", 1), ("ff_other_grad", 1), ("ff_other", 0)):
        result = read(compat=COMPAT, files={f"{YAML}/backward.yaml": backward.format(name)})
        assert len(shown(result.ops[f"pd_op.{name}"])[0]) == inputs, name


def test_an_entry_that_marks_its_mutable_attrs_changes_what_op_compat_states_from_then_on():
    marked = "- op : ff\n  args : (Scalar a, Scalar value)\n  output : Tensor\n  support_tensor : [a]\n"
    grad = "- backward_op : ff_grad\n  forward : ff(Scalar a) -> Tensor\n  args : (Scalar a, Scalar value)\n  output:\n"
    result = read(marked, COMPAT, {f"{YAML}/backward.yaml": grad})
    for name in ("ff", "ff_grad"):
        assert shown(result.ops[f"pd_op.{name}"])[0] == ["a#: ScalarAttribute<float>"]


def test_pow_keeps_its_attrs_and_so_does_its_grad():
    compat = (
        "- op : pow\n  backward : pow_grad\n  scalar :\n    y :\n      data_type : float\n      support_tensor : true\n"
    )
    grad = "- backward_op : pow_grad\n  args : (Tensor x, Scalar y)\n  output : Tensor\n"
    result = read(
        "- op : pow\n  args : (Tensor x, Scalar y)\n  output : Tensor\n", compat, {f"{YAML}/backward.yaml": grad}
    )
    assert [len(shown(result.ops[f"pd_op.{name}"])[0]) for name in ("pow", "pow_grad")] == [1, 1]


def test_sparse_ops_have_a_suffix_and_their_scalars_stay_attrs():
    sparse = "- op : ff\n  args : (Tensor x, Scalar value)\n  output : Tensor(out)\n  inplace : (x -> out)\n"
    result = read(compat=COMPAT, files={f"{YAML}/sparse.yaml": sparse})
    assert set(result.ops) == {"pd_op.ff_sp", "pd_op.ff_sp_"}
    assert shown(result.ops["pd_op.ff_sp"])[2] == ["value: ScalarAttribute<double>"]


def test_a_second_entry_of_an_op_in_a_file_is_unresolved_and_the_first_counts():
    result = read(ROUND, files={f"{DIALECT}/own.yaml": f"{ROUND}{ROUND.replace('(Tensor x', '(Tensor x, Tensor y')}"})
    assert reasons(result) == {"pd_op.round": "the file has an entry of it before"}
    assert [(file, line) for _, file, line, _, _ in lost(result)] == [
        (f"{DIALECT}/own.yaml", 1 + ROUND.count("\n")),
    ]


def test_a_number_may_be_written_as_a_text():
    result = read('- op : f\n  args : (float eps = "1e-3")\n  output : Tensor\n')
    assert shown(result.ops["pd_op.f"])[2] == ["eps: FloatAttribute = 0.0010000000474974513"]


def test_the_files_that_the_build_names_count_and_no_others():
    result = read(ROUND, files={f"{DIALECT}/own.yaml": ROUND.replace("round", "own"), f"{YAML}/more.yaml": ROUND})
    assert set(result.ops) == {"pd_op.round", "pd_op.own"}


def test_places_are_those_in_the_yaml():
    op = spec_of(read(f"\n{ROUND}")).ops["pd_op.round"]
    assert (op.origin.file, op.origin.line) == (f"{YAML}/ops.yaml", 2)
    assert [(argument.origin.line, argument.origin.column) for argument in (*op.inputs, *op.attrs, *op.outputs)] == [
        (3, 18),
        (3, 25),
        (4, 19),
    ]


@pytest.mark.parametrize(
    ("yaml", "op", "reason"),
    [
        ("- op : f\n  args : (Thing x)\n  output : Tensor\n", "pd_op.f", "the type Thing of the attr 'x' is not known"),
        ("- op : f\n  args : Tensor x\n  output : Tensor\n", "pd_op.f", "its args are not in parentheses"),
        ("- op : f\n  args : (int a = G)\n  output :\n", "pd_op.f", "the default G of 'a' is unknown"),
        ("- op : f\n  args : (Place a = G)\n  output :\n", "pd_op.f", "it is not the name of an enumerator"),
        ("- op : f\n  args : (Tensor x)\n  output : Thing\n", "pd_op.f", "not of the form TYPE(NAME)"),
        (
            "- op : f\n  args : (Tensor x)\n  output : Tensor\n  inplace : x\n",
            "pd_op.f",
            "not of the form INPUT -> OUTPUT",
        ),
        ("- op : f\n  args : ()\n  output :\n  kernel :\n    func : f {dense}\n", "pd_op.f", "not of the form NAME"),
        (
            "- op : f\n  args : (Tensor x, Tensor y)\n  output :\n  kernel :\n    func : f {dense ->}, g {dense ->}\n",
            "pd_op.f",
            "the kernel does not state the type of 'y'",
        ),
        ("- op : [\n", f"{YAML}/ops.yaml", "it is not valid YAML"),
    ],
)
def test_what_is_not_understood_is_unresolved_and_hides_nothing_else(yaml, op, reason):
    result = read(yaml, files={f"{DIALECT}/own.yaml": ROUND})
    assert set(result.ops) == {"pd_op.round"}
    assert list(reasons(result)) == [op]
    assert reason in reasons(result)[op]


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        (f"{DIALECT}/CMakeLists.txt", "", "no CMakeLists.txt that is known calls op_gen.py"),
        (f"{DIALECT}/CMakeLists.txt", "op_gen_file", "the call of op_gen.py is not understood"),
        ("paddle/fluid/operators/generator/CMakeLists.txt", "", "nothing makes the file parsed/a.parsed.yaml"),
        (f"{GENERATOR}/gen_utils.py", "", "the types of attrs are not found in the generator"),
    ],
)
def test_a_build_that_is_not_understood_is_unresolved_as_a_whole(path, text, reason):
    result = read(ROUND, files={path: text})
    assert result.ops == {}
    assert reasons(result) == {"*": reason}


def test_a_file_that_the_build_names_and_that_is_missing_is_unresolved():
    files = {path: text for path, text in BASE.items() if path != f"{DIALECT}/own.yaml"}
    spec = extraction.extract(Memory(files))
    assert reasons(spec) == {f"{DIALECT}/own.yaml": f"the file {DIALECT}/own.yaml that the build names does not exist"}


def test_a_tree_without_a_generator_has_no_dialect():
    files = {path: text for path, text in BASE.items() if not path.startswith(GENERATOR)}
    spec = extraction.extract(Memory(files))
    assert (spec.ops, lost(spec)) == ({}, [])


def test_a_generator_that_is_not_known_is_distinguished_from_one_that_works_alike():
    first, commented, another = (
        remarks(read(ROUND, files={f"{GENERATOR}/op_gen.py": script}), "yaml_generator_unknown")
        for script in (SCRIPT, f"{SCRIPT}# a comment\n", SCRIPT.replace("by_hand", "mine"))
    )
    assert first == commented
    assert first != another
    assert first[0][2] == f"{GENERATOR}/op_gen.py"


@pytest.mark.parametrize(
    ("files", "is_missing"),
    [
        ({}, True),
        ({f"{YAML}/backward.yaml": "- backward_op : gone_grad_\n  args : (Tensor x)\n  output : Tensor(out)\n"}, False),
        ({f"{YAML}/backward.yaml": "- backward_op : gone_grad\n  args : unreadable\n  output : Tensor(out)\n"}, False),
        ({f"{YAML}/inconsistent/dygraph_backward.yaml": "- backward_op : gone_grad\n  args : (Tensor x)\n"}, False),
        ({f"{HAND}.h": HAND_HEADER.replace("pd_op.f", "pd_op.gone_grad"), f"{HAND}.cc": HAND_CODE}, False),
    ],
    ids=["nowhere", "with an underscore", "unresolved", "in a file of another build", "a class"],
)
def test_a_gradient_that_an_entry_names_and_nothing_declares(files, is_missing):
    text = "- op : gone\n  args : (Tensor x)\n  output : Tensor(out)\n  backward : gone_grad\n"
    faults = remarks(read(text, files=files), "yaml_entry_wrong")
    assert [(fault[0], fault[2:4]) for fault in faults] == ([("gone", (f"{YAML}/ops.yaml", 4))] if is_missing else [])

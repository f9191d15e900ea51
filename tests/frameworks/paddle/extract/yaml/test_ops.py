"""The op that the generator makes of one entry, rule by rule."""

from __future__ import annotations

import pytest

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.yaml.entries import parse_entries
from opspec_lint.frameworks.paddle.extract.yaml.enum_values import Enums
from opspec_lint.frameworks.paddle.extract.yaml.generator import MakerRules
from opspec_lint.frameworks.paddle.extract.yaml.ops import YamlSource, entry_name, makes_op, read_declarations

TYPES = {
    "int": "int",
    "float": "float",
    "str": "std::string",
    "Scalar": "float",
    "Scalar(int)": "int",
    "Scalar(double)": "double",
    "IntArray": "std::vector<int64_t>",
    "DataType": "int",
    "DataLayout": "int",
    "Place": "int",
    "Strange": "Unheard",
}
PLAIN = MakerRules(types=TYPES, **dict.fromkeys(set(MakerRules._fields) - {"types"}, False))
KERNEL = "  infer_meta : {func : M}\n  kernel : {func : k}\n"
NUMBERS = {("DataLayout", "NCHW"): 2, ("AllocationType", "CPU"): 1, ("AllocationType", "UNDEFINED"): 0}
ENUMS = Enums({"FP32": 5, "INT64": 3}, lambda enum, name: NUMBERS.get((enum, name)))


def proto(text, compat="", op="f", **rules):
    if not text.startswith("-"):
        text = f"- op : f\n  args : ({text})\n  output : Tensor(out)\n{KERNEL}"
    (entry,) = parse_entries(text, "f.yaml")
    companion = parse_entries(f"- op : f\n{compat}", "c.yaml")[0] if compat else None
    return read_declarations(entry, companion, PLAIN.replace(**rules), ENUMS, YamlSource("f.yaml", text), op=op)


FLAGS = ("dispensable", "duplicable", "extra", "intermediate", "support_tensor")


def named(section):
    return [(item["name"], *(flag for flag in FLAGS if item.get(flag))) for item, _ in section]


def inputs(*arguments, **rules):
    return named(proto(*arguments, **rules).inputs)


def outputs(*arguments, **rules):
    return named(proto(*arguments, **rules).outputs)


def attrs(*arguments, **rules):
    return [(item["name"], item["type"], item.get("default_value")) for item, _ in proto(*arguments, **rules).attrs]


def flags(*arguments, **rules):
    return named(proto(*arguments, **rules).attrs)


def refusal(*arguments, **rules):
    with pytest.raises(UnresolvedError) as caught:
        proto(*arguments, **rules)
    assert caught.value.file == "f.yaml"
    return caught.value.reason


OUTPUT = "- op : f\n  args : (Tensor x)\n  output : Tensor(out), Tensor[](y_grad){x.size()}\n  optional : out\n"


def test_inputs_and_what_optional_and_extra_state_of_them():
    entry = f"- op : f\n  args : (Tensor x, Tensor[] y, Tensor z_grad)\n  optional : y, z_grad\n{KERNEL}"
    compat = "  extra : {inputs : [x]}\n"
    assert inputs(entry, compat) == [("x",), ("y", "dispensable", "duplicable"), ("z_grad", "dispensable")]
    assert inputs(entry, compat, extra_inputs=True)[0] == ("x", "extra")
    assert [name for name, *_ in inputs(entry, grad_inputs=True)] == ["x", "y", "z@GRAD"]
    assert [name for name, *_ in inputs(entry, grad_inputs=True, pascal_case=True)] == ["X", "Y", "Z@GRAD"]
    assert [name for name, *_ in inputs(entry, pascal_case=True)] == ["x", "y", "z_grad"]


def test_outputs_and_what_optional_intermediate_and_extra_state_of_them():
    entry = f"{OUTPUT}  intermediate : out\n{KERNEL}"
    compat = "  extra : {outputs : [out]}\n"
    assert outputs(entry, compat) == [("out", "intermediate"), ("y_grad", "duplicable")]
    assert outputs(entry, compat, optional_outputs=True)[0] == ("out", "dispensable", "intermediate")
    assert outputs(entry, compat, extra_outputs=True)[0] == ("out", "extra", "intermediate")
    assert [name for name, *_ in outputs(entry, grad_outputs=True)] == ["out", "y@GRAD"]
    assert [name for name, *_ in outputs(entry, grad_outputs=True, pascal_case=True)] == ["Out", "Y@GRAD"]


def test_extra_that_is_no_mapping_states_nothing():
    assert inputs("Tensor x", "  extra : word\n", extra_inputs=True) == [("x",)]


@pytest.mark.parametrize("written", ["", "  output :\n", "  output : ~\n"])
def test_an_entry_without_outputs(written):
    assert outputs(f"- op : f\n  args : (Tensor x)\n{written}{KERNEL}") == []


def test_an_output_without_a_name_is_out():
    assert outputs(f"- op : f\n  args : ()\n  output : Tensor, SelectedRows(rows)\n{KERNEL}") == [("out",), ("rows",)]


def test_compat_renames_all_three():
    compat = "  inputs : {x : X}\n  outputs : {out : Out}\n  attrs : {a : A}\n"
    result = proto("Tensor x, int a", compat)
    assert [item["name"] for item, _ in (*result.inputs, *result.outputs, *result.attrs)] == ["X", "Out", "A"]
    assert inputs("Tensor x", "  inputs : word\n") == [("x",)]


def test_attrs_that_the_kernel_does_not_take():
    entry = (
        "- op : f\n  args : (Tensor x, int a, int b)\n  infer_meta : {func : M}\n  kernel : {func : k, param : [b]}\n"
    )
    assert attrs(entry) == [("b", "INT", None)]
    assert attrs(entry, keeps_all_attrs=True) == [("a", "INT", None), ("b", "INT", None)]
    assert attrs(entry.replace(", param : [b]", "")) == [("a", "INT", None), ("b", "INT", None)]


@pytest.mark.parametrize("op", ["sparse_batch_norm", "sparse_sync_batch_norm", "f"])
@pytest.mark.parametrize("sparse_renames", [True, False])
def test_the_data_format_of_a_sparse_batch_norm(op, sparse_renames):
    result = attrs("Tensor x, str data_format, str other", op=op, sparse_renames=sparse_renames)
    renamed = sparse_renames and op != "f"
    assert [name for name, *_ in result] == ["data_layout" if renamed else "data_format", "other"]


@pytest.mark.parametrize(
    ("args", "attr"),
    [
        ("int a = -1", ("a", "INT", -1)),
        ('str a = "x"', ("a", "STRING", "x")),
        ("DataType a = DataType::FLOAT32", ("a", "INT", 5)),
        ("DataType a = INT64", ("a", "INT", 3)),
        ("DataType a = UNDEFINED", ("a", "INT", -1)),
        ("DataLayout a = phi::DataLayout::NCHW", ("a", "INT", 2)),
        ("Place a = CPUPlace()", ("a", "INT", 1)),
        ("Place a = phi::CPUPlace()", ("a", "INT", 1)),
        ("Place a = Place()", ("a", "INT", 0)),
        ("Place a = {}", ("a", "INT", 0)),
    ],
)
def test_defaults(args, attr):
    assert attrs(args) == [attr]


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ("DataType a = FP7", "the default FP7 of 'a' is unknown: the data type FP7 is not known"),
        ("DataLayout a = ANY", "the default ANY of 'a' is unknown: the layout ANY is not known"),
        ("Place a = GPUPlace()", "the default GPUPlace() of 'a' is unknown: the place GPUPlace() is not known"),
        ("Place a = CPUPlace", "the default CPUPlace of 'a' is unknown: the place CPUPlace is not known"),
        ("int a = 'x", "the default 'x of 'a' is unknown: 'x cannot be evaluated"),
        ("int", "the argument 'int' is not of the form TYPE NAME = DEFAULT"),
        ("int a = 1 = 2", "the argument 'int a = 1 = 2' is not of the form TYPE NAME = DEFAULT"),
        ("Tensor x, ", "the argument '' is not of the form TYPE NAME = DEFAULT"),
        ("Other a", "the type Other of the argument 'a' is not known"),
        ("Strange a", "the type Unheard of the attr 'a' is not known"),
    ],
)
def test_arguments_that_are_not_understood(args, reason):
    assert refusal(args) == reason


@pytest.mark.parametrize("written", ["x", "(Tensor x", "Tensor x)", "[a]"])
def test_args_that_are_none(written):
    reason = "its args is missing, or is not a string" if written == "[a]" else "its args are not in parentheses"
    assert refusal(f"- op : f\n  args : {written}\n{KERNEL}") == reason


def test_a_scalar_has_an_input_next_to_it():
    assert inputs("Scalar some_value = 1") == [("SomeValueTensor", "dispensable")]
    assert attrs("Scalar a = 1") == [("a", "FLOAT", 1.0)]
    assert [name for name, *_ in inputs("Scalar a", "  attrs : {a : b}\n")] == ["BTensor"]
    assert [name for name, *_ in inputs("Scalar a", "  attrs : {a : b}\n", scalars=True)] == ["ATensor"]


def test_what_compat_states_of_a_scalar():
    compat = "  scalar : {a : {data_type : std::string, tensor_name : Given}}\n"
    assert attrs("Scalar(double) a = 1e-5", compat, scalars=True, quotes=True) == [("a", "STRING", "1e-5")]
    assert refusal("Scalar(double) a = 1e-5", compat, scalars=True).startswith("the default 1e-5 of 'a' is unknown")
    assert attrs("Scalar(double) a = 1e-5", compat) == [("a", "FLOAT64", 1e-5)]
    assert inputs("Scalar a", compat, scalars=True) == [("Given", "dispensable")]
    assert inputs("Scalar a", compat) == [("ATensor", "dispensable")]
    assert inputs("Scalar b", compat, scalars=True) == [("BTensor", "dispensable")]
    assert attrs("Scalar(int) a = 1", "  scalar : {a : {x : y}}\n", scalars=True) == [("a", "INT", 1)]


def test_a_scalar_may_do_without_its_input():
    compat = "  scalar : {a : {support_tensor : true}}\n"
    assert inputs("Scalar a", compat, scalars=True, support_tensor=True) == []
    assert inputs("Scalar a", compat, scalars=True) == [("ATensor", "dispensable")]
    no = compat.replace("true", "false")
    assert inputs("Scalar a", no, scalars=True, support_tensor=True) == [("ATensor", "dispensable")]
    needed = refusal("Scalar a", no, scalars=True, support_tensor=True, needs_tensor_name=True)
    assert needed == "op_compat.yaml has no tensor_name for 'a', which the generator needs"
    assert inputs("Scalar a", scalars=True, needs_tensor_name=True) == [("ATensor", "dispensable")]


def test_which_attrs_may_be_tensors():
    scalar = "  scalar : {a : {support_tensor : true}}\n"
    array = "  int_array : {a : {support_tensor : true}}\n"
    rules = {"scalars": True, "int_arrays": True, "support_tensor": True}
    assert flags("Scalar a, int b", scalar, **rules) == [("a", "support_tensor"), ("b",)]
    assert flags("IntArray a", array, **rules) == [("a", "support_tensor")]
    assert flags("Scalar a", scalar.replace("true", "false"), **rules) == [("a",)]
    assert flags("Scalar a", scalar, **(rules | {"support_tensor": False})) == [("a",)]


def test_what_op_compat_states_of_an_attr_is_a_mapping():
    rules = {"scalars": True, "int_arrays": True}
    output = refusal("Scalar a", "  scalar : {a : true}\n", **rules)
    assert output == "scalar of 'a' in op_compat.yaml is not a mapping"
    assert refusal("IntArray a", "  int_array : {a : [x]}\n", **rules).startswith("int_array of 'a'")


def test_an_int_array_has_two_inputs_next_to_it():
    tensor, tensors = ("ATensor", "dispensable"), ("ATensorList", "dispensable", "duplicable")
    assert inputs("IntArray a") == [tensor, tensors]
    assert inputs("IntArray a", int_arrays=True) == [tensor, tensors]
    text = "  int_array : {a : {data_type : int, tensor_name : One}}\n"
    assert inputs("IntArray a", text, int_arrays=True) == [("One", "dispensable")]
    assert inputs("IntArray a", text) == [tensor, tensors]
    two = "  int_array : {a : {tensors_name : Two}}\n"
    assert inputs("IntArray a", two, int_arrays=True) == [("Two", "dispensable", "duplicable")]
    free = "  int_array : {a : {support_tensor : true}}\n"
    assert inputs("IntArray a", free, int_arrays=True, support_tensor=True) == []
    assert inputs("IntArray a", free, int_arrays=True) == []
    assert attrs("IntArray a = {1}", text, int_arrays=True) == [("a", "INTS", (1,))]
    assert attrs("IntArray a = {1}", two, int_arrays=True) == [("a", "LONGS", (1,))]
    strange = "  int_array : {a : {data_type : char}}\n"
    assert refusal("IntArray a", strange, int_arrays=True) == "the type IntArray of the attr 'a' is not known"


@pytest.mark.parametrize(
    ("text", "name", "is_made"),
    [
        (f"- op : f\n{KERNEL}", "f", True),
        (f"- api : f\n{KERNEL}", "f", True),
        ("- op : f\n  kernel : {func : k}\n", "f", False),
        ("- op : f\n  infer_meta : {func : k}\n", "f", False),
        (f"- op : f\n  invoke : g(x)\n{KERNEL}", "f", False),
        (f"- op : f\n  composite : g(x)\n{KERNEL}", "f", True),
        ("- op : f\n  composite : g(x)\n  infer_meta : {func : k}\n", "f", False),
        (f"- op : [f]\n{KERNEL}", "", True),
        (f"- other : f\n{KERNEL}", "", True),
    ],
)
def test_whether_an_entry_makes_an_op(text, name, is_made):
    (entry,) = parse_entries(text, "f.yaml")
    assert (entry_name(entry), makes_op(entry)) == (name, is_made)


def test_places_are_lines_and_columns_from_1():
    source = YamlSource("f.yaml", "ab\ncd ab\n")
    assert [source.place(at) for at in (0, 1, 3, 6)] == [(1, 1), (1, 2), (2, 1), (2, 4)]
    assert source.find("ab", 1, 9) == (2, 4)
    assert source.find("zz", 3, 9) == (2, 1)

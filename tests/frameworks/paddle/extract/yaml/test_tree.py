"""The YAML files of a tree together: which names their ops have, what the files beside them add, and enums."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.extract.yaml.generator import CMAKE, FOLDERS
from tests.support.trees.paddle_trees import history_of, lost, read, reasons, remarks, shown

YAML = "paddle/phi/ops/yaml"
CALL = (
    "execute_process(COMMAND python generate_op.py --ops_yaml_path /{y}/ops.yaml --op_compat_yaml_path /{y}/compat.yaml"
    " --op_version_yaml_path /{y}/versions.yaml --ops_exclude_yaml_path /{y}/excluded.yaml"
    " --backward_yaml_path /{y}/backward.yaml)\n"
    "execute_process(COMMAND python generate_sparse_op.py --ops_yaml_path /{y}/sparse.yaml"
    " --backward_yaml_path /{y}/sparse_backward.yaml)\n"
).replace("{y}", YAML)
STRIPS = {
    "generate_op.py": "name_without_underline",
    "generate_sparse_op.py": "name[-1] == '_'",
    "parse_utils.py": "name[-1] != '_'",
}
TYPES = "opmaker_attr_types_map = {'int': 'int', 'Place': 'int', 'DataLayout': 'int'}"
PLACE_H = """
// enum class AllocationType { WRONG = 9 };
enum class AllocationType : int8_t {
  UNDEFINED = 0, CPU, GPU = 4 + 1, XPU, SAME = CPU, NEXT, LAST = 1 << 3, BOTH = LAST | GPU
};
"""


def tree(ops="", scripts=(), call=CALL, place=PLACE_H, **others):
    texts = {"ops": ops, "compat": "", "versions": "", "sparse": ""} | others
    generator = {"generate_op.py": ""} | {name: STRIPS[name] for name in scripts}
    return read(
        {CMAKE[0]: call, f"{FOLDERS[0]}/type_mapping.py": TYPES, "paddle/phi/common/place.h": place}
        | {f"{FOLDERS[0]}/{name}": text for name, text in generator.items()}
        | {f"{YAML}/{name}.yaml": text for name, text in texts.items() if text is not None}
    )


def entry(name="f", args="(Tensor x)"):
    declared = f"- op : {name}\n  args : {args}\n  output : Tensor(out)\n"
    return f"{declared}  infer_meta : {{func : M}}\n  kernel : {{func : k}}\n"


@pytest.mark.parametrize(
    ("scripts", "op", "sparse"),
    [
        ((), "f_", "sparse_f_"),
        (("parse_utils.py",), "f", "sparse_f_"),
        (("generate_sparse_op.py",), "f_", "sparse_f"),
        (("generate_op.py",), "f", "sparse_f"),  # at the very end, of whichever
    ],
)
def test_an_underscore_goes_where_the_generator_takes_it_away(scripts, op, sparse):
    result = tree(entry("f_"), scripts, sparse=entry("f_"))
    assert (reasons(result), sorted(result.ops)) == ({}, sorted([op, sparse]))


@pytest.mark.parametrize(
    ("compat", "expected"),
    [
        ("- op : f (g)", "g"),
        ("- op : f(g )", "g"),
        ("- op : f ()", "f"),
        ("- op : f", "f"),
        ("- op : f\n  op_name : h", "h"),
        ("- op : f (g)\n  op_name : h", "h"),
        ("- op : f\n  op_name : [h]", "f"),
        ("- op : other (g)", "f"),
        ("- op : f (g)\n- op : f\n  inputs : {x : X}", "f"),
    ],
)
def test_the_name_of_an_op_in_programs(compat, expected):
    assert list(tree(entry(), compat=compat).ops) == [expected]


def test_entries_of_the_same_op_are_taken_together():
    compat = "- op : f\n  inputs : {x : X}\n- op : f\n  outputs : {out : Out}\n"
    assert shown(tree(entry(), compat=compat))[:2] == (["X"], ["Out"])


def test_compat_may_call_an_op_with_its_underscore():
    compat = "- op : f_ (g)\n"
    assert list(tree(entry(), ("generate_op.py",), compat=compat).ops) == ["g"]
    assert list(tree(entry(), compat=compat).ops) == ["f"]


def test_what_is_excluded_is_not_there():
    result = tree(entry() + entry("g") + entry("h"), excluded="- f\n- g_\n")
    assert (sorted(result.ops), result.without) == (["h"], ())
    assert sorted(tree(entry(), excluded="word").ops) == ["f"]


def test_backward_ops_have_no_proto_of_their_own():
    result = tree(
        entry(),
        sparse=entry(),
        backward="- backward_op : f_grad\n- backward_api: g_grad\n",
        sparse_backward="- backward_op : f_grad",
    )
    assert result.without == ("f_grad", "g_grad", "sparse_f_grad")


@pytest.mark.parametrize(
    ("place", "number"), [("Place()", 0), ("CPUPlace()", 1), ("GPUPlace()", 5), ("XPUPlace()", 6), ("SAMEPlace()", 1),
                          ("NEXTPlace()", 2), ("LASTPlace()", 8), ("BOTHPlace()", 13)]
)  # fmt: skip
def test_enumerators_are_counted(place, number):
    result = tree(entry(args=f"(Place a = {place})"))
    assert shown(result)[2] == [f"a: INT = {number}"]


@pytest.mark.parametrize("value", ["1e999", "ELSEWHERE", "other::CPU", "2.5"])
def test_an_enumerator_without_a_number(value):
    place = PLACE_H.replace("GPU = 4 + 1", f"GPU = {value}")
    result = tree(entry(args="(Place a = XPUPlace())"), place=place)
    assert list(reasons(result)) == ["f"]


@pytest.mark.parametrize("default", ["Place a = WRONGPlace()", "DataLayout a = NCHW"])
def test_an_enumerator_that_is_nowhere(default):
    assert "is not known" in reasons(tree(entry(args=f"({default})")))["f"]


def test_histories_go_with_the_ops_of_their_names():
    version = "  version :\n    - checkpoint : why\n      action :\n        - add_input : X\n"
    result = tree(entry() + entry("g"), versions=f"- op : f\n{version}- op : g\n  version : [x]\n- op : h\n{version}")
    assert list(result.histories) == ["f"]
    assert [[place.place for place in places] for places in history_of(result)[1]] == [
        [f"{YAML}/versions.yaml:3", f"{YAML}/versions.yaml:5"]
    ]
    assert reasons(result) == {"g (op version)": "a checkpoint without its action"}
    assert remarks(result, "op_version_dropped") == [("h", "h", f"{YAML}/versions.yaml", 8)]
    assert result.has_versions


def test_a_call_without_op_versions_states_nothing_of_any():
    version = "- op : f\n  version :\n    - checkpoint : why\n      action :\n        - add_input : X\n"
    option = f" --op_version_yaml_path /{YAML}/versions.yaml"
    without = tree(entry(), call=CALL.replace(option, ""), versions=version)
    assert (reasons(without), without.histories, without.has_versions) == ({}, {}, False)
    assert remarks(without, "op_version_dropped") == []
    sparse_alone = CALL.replace(option, "").replace("sparse.yaml", f"sparse.yaml{option}")
    result = tree(entry(), call=sparse_alone, sparse=entry(), versions=version)
    assert (reasons(result), result.histories, result.has_versions) == ({}, {}, False)
    assert remarks(result, "op_version_dropped") == []


def test_a_build_that_calls_the_generator_without_end():
    assert list(reasons(tree(entry(), call=CALL * 300)).values()) == [
        "the YAML generator is called more than 200 times"
    ]


def test_keys_that_the_generator_never_reads_are_reported_once():
    known = (
        "op_name api grad_op_name backward inputs outputs attrs extra scalar int_array complex_promote drop_empty_grad "
        "get_expected_kernel_type manual_signature view"
    )
    lines = "".join(f"  {key} : {{}}\n" for key in known.split() if key not in ("op_name", "api"))
    of_scalar = "{data_type : x, support_tensor : true, tensor_name : y, tensors_name : z}"
    compat = (
        f"- op : f\n{lines}  strange : 1\n- op : g\n  scalar : {{a : {of_scalar}, b : word}}\n"
        f"  int_array : {{a : {of_scalar[:-1]}, odd : 1}}}}\n  attrs : {{strange : x}}\n"
    )
    path = f"{YAML}/compat.yaml"
    assert remarks(tree(entry(), compat=compat), "compat_key_unread") == [
        ("f", "strange", path, 15),
        ("g", "scalar.tensors_name", path, 17),
        ("g", "int_array.odd", path, 18),
    ]


@pytest.mark.parametrize(
    ("missing", "reason"),
    [
        ("ops", "the file that the build names does not exist"),
        ("compat", f"the file {YAML}/compat.yaml that the build names does not exist"),
        ("versions", f"the file {YAML}/versions.yaml that the build names does not exist"),
    ],
)
def test_a_file_that_is_missing_is_reported_to_be_and_hides_no_other(missing, reason):
    result = tree(**{"ops": entry(), "sparse": entry(), missing: None})
    ((name, file, line, why, digest),) = lost(result)
    assert (why, file, line) == (reason, CMAKE[0], 1)
    assert (name, bool(digest)) == (f"{YAML}/ops.yaml", missing != "ops")
    assert "sparse_f" in result.ops


def test_calls_that_are_not_understood_are_reported_to_be():
    files = {CMAKE[0]: "generate_op.pyc", f"{FOLDERS[0]}/generate_op.py": ""}
    assert reasons(read(files)) == {CMAKE[0]: "the calls of the YAML generator cannot be evaluated"}

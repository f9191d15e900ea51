"""Models and repositories of the kinds that users report as bugs: each from a command to what it prints."""

from __future__ import annotations

import json
import re

import pytest

from tests.support.models import (
    onnx_models,
    paddle_programs,
    pir_models,
    pytorch_models,
    tensorflow_models,
    tflite_models,
)
from tests.support.models.tensorflow_models import FLOAT, placeholder
from tests.support.programs import run
from tests.support.repositories import Repository

# Paddle: one program in the folder that a tool ships, and programs of a release that cannot parse them.

RELU_PROGRAM = paddle_programs.program(paddle_programs.node("relu", ["X"]))
FLATTEN = paddle_programs.node("flatten_contiguous_range", ["X"], ["Out"], start_axis=("INT", 1), stop_axis=("INT", 1))
UNPARSED = paddle_programs.program(FLATTEN, paddle_programs.node("scale", ["X"], values=("SCALARS", [1.0])))
UNKNOWN_AND_UNPARSED = paddle_programs.program(
    paddle_programs.node("no_such_op", ["X"]), paddle_programs.node("scale", ["X"], values=("SCALARS", [1.0]))
)


DTYPE = [pir_models.attr("dtype", "float32", "1.a_dtype"), pir_models.attr("place", [0, 0, ""], "1.a_place")]


def pool(code):
    """Return a PIR program with the strides and paddings of a pooling as ints of a type."""
    flags = {"ceil_mode": False, "exclusive": True, "global_pooling": False, "adaptive": False}
    names = {"data_format": "NCHW", "pooling_type": "max", "padding_algorithm": "EXPLICIT"}
    pooling = [
        *(pir_models.attr(name, [{"#": code, "D": 2}] * 2, "0.a_array") for name in ("strides", "paddings")),
        *(pir_models.attr(name, value, "0.a_bool") for name, value in flags.items()),
        *(pir_models.attr(name, value) for name, value in names.items()),
    ]
    fed = [pir_models.attr("name", "x"), pir_models.attr("shape", [-1, 3], "1.a_intarray"), *DTYPE]
    size = pir_models.attr("value", [{"#": "0.a_i64", "D": 2}], "0.a_array")
    fetched = [pir_models.attr("name", "out"), pir_models.attr("col", 0, "0.a_i32")]
    return pir_models.program(
        pir_models.op("1.data", [], [1], fed),
        pir_models.op("1.full_int_array", [], [2], [size, *DTYPE]),
        pir_models.op("1.pool2d", [1, 2], [3], pooling),
        pir_models.op("1.fetch", [3], [4], fetched),
    )


PROGRAM, JSON = "inference.pdmodel", "inference.json"
PADDLE = [
    ("a folder with a program", {PROGRAM: RELU_PROGRAM}, ". --against paddle@2.3.2", 0, ["loads in paddle 2.3.2"]),
    (
        "a folder with a program and its weights",
        {PROGRAM: RELU_PROGRAM, "inference.pdiparams": b"", "inference.pdiparams.info": b""},
        ". --against paddle@2.6.2",
        0,
        ["loads in paddle 2.6.2"],
    ),
    (
        "a folder with a PIR program",
        {JSON: pool("0.a_i32"), "inference.pdiparams": b""},
        ". --against paddle@3.0.0",
        0,
        ["loads in paddle 3.0.0"],
    ),
    (
        "a folder with both forms",
        {PROGRAM: RELU_PROGRAM, JSON: pool("0.a_i32"), "inference.pdiparams": b""},
        ". --against paddle@2.6.2",
        3,
        ["it holds inference.json, inference.pdmodel", "name one of them"],
    ),
    (
        "a program that the release cannot parse",
        {PROGRAM: UNPARSED},
        f"{PROGRAM} --against paddle@2.0.2 --loader inference_predictor",
        1,
        ["(inference_predictor): parse", "'values' of 'scale' has the type SCALARS"],
    ),
    (
        "a program that the older of its first releases cannot parse",
        {PROGRAM: UNPARSED},
        f"{PROGRAM} --against paddle@2.1.3 --loader legacy_executor",
        1,
        ["(legacy_executor): parse"],
    ),
    (
        "a program with an unknown op that cannot be parsed",
        {PROGRAM: UNKNOWN_AND_UNPARSED},
        f"{PROGRAM} --against paddle@2.0.2 --loader legacy_executor",
        1,
        ["(legacy_executor): parse"],
    ),
    (
        "a PIR program under Paddle 2",
        {JSON: pir_models.program()},
        f"{JSON} --against paddle@2.6.2",
        1,
        ["is refused by paddle 2.6.2", "load the model with Paddle 3, or export it with Paddle 2"],
    ),
    (
        "a PIR program under the first Paddle 2",
        {JSON: pir_models.program()},
        f"{JSON} --against paddle@2.0.2",
        1,
        ["is refused by paddle 2.0.2", "Paddle 2.0.2 has no reader of PIR programs"],
    ),
    (
        "strides of a newer Paddle under a predictor",
        {JSON: pool("0.a_i64")},
        f"{JSON} --against paddle-pir@3.0.0 --loader pir_predictor",
        1,
        ["is refused by paddle-pir 3.0.0 (pir_predictor): attr_type", "the attr 'strides' of 'pd_op.pool2d'"],
    ),
    (
        "strides of a newer Paddle under an executor",
        {JSON: pool("0.a_i64")},
        f"{JSON} --against paddle-pir@3.0.0 --loader pir_json",
        1,
        ["loads, but fails when it runs, in paddle-pir 3.0.0 (pir_json): attr_type"],
    ),
]

# PyTorch: limits of archives, files without a program, ops of extensions.


def archived(body, version):
    code = f"class M(Module):\n  def forward(self: __torch__.M,\n    x: Tensor) -> Tensor:\n    return {body}\n"
    records = {"data.pkl": b"", "constants.pkl": b"", "version": version, "code/__torch__.py": code}
    return pytorch_models.zipped({f"m/{name}": data for name, data in records.items()})


def program_of(major, minor):
    call = pytorch_models.node("torch.ops.aten.relu.default", {"self": pytorch_models.tensor("x")})
    return pytorch_models.exported(pytorch_models.program(call, schema_version={"major": major, "minor": minor}))


RELU, ALIGN = "torch.relu(x)", "ops.torchvision.roi_align(x, x, 1., 2, 2, 2, True)"
OLD_FORM = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."
NO_PROGRAM = ["torch.save wrote it", "save the model with torch.jit.save or torch.export.save"]
TOO_NEW = "the graph has version 99, and the release reads versions up to 10"
PYTORCH = [
    ("a version of the future", {"m.pt": archived(RELU, "99")}, "m.pt --against pytorch@2.4.1", 1, [TOO_NEW]),
    ("and in a newer release", {"m.pt": archived(RELU, "99")}, "m.pt --against pytorch@2.13.0", 1, [TOO_NEW]),
    ("and in each release", {"m.pt": archived(RELU, "99")}, "m.pt", 1, ["loads in no known release of pytorch"]),
    ("the version of both releases", {"m.pt": archived(RELU, "10")}, "m.pt", 0, ["loads in pytorch 2.4.1 to 2.13.0"]),
    ("one version above", {"m.pt": archived(RELU, "11")}, "m.pt --against pytorch@2.13.0", 1, ["has version 11"]),
    ("a program of a newer schema", {"m.pt2": program_of(8, 20)}, "m.pt2 --against pytorch@2.4.1", 1, ["is refused"]),
    ("a program of its own schema", {"m.pt2": program_of(8, 20)}, "m.pt2 --against pytorch@2.13.0", 0, ["loads in"]),
    ("a program of a later schema", {"m.pt2": program_of(9, 0)}, "m.pt2 --against pytorch@2.13.0", 1, ["is refused"]),
    ("an archive of torch.save", {"m.pt": pytorch_models.weights()}, "m.pt", 2, NO_PROGRAM),
    ("a file of the old torch.save", {"m.pt": OLD_FORM}, "m.pt", 2, NO_PROGRAM),
    ("a file of the old torch.save by another name", {"m.bin": OLD_FORM}, "m.bin", 2, NO_PROGRAM),
    (
        "an op of an extension",
        {"m.pt": archived(ALIGN, "3")},
        "m.pt --against pytorch@2.13.0",
        0,
        ["cannot tell: the spec has no op of 'torchvision'", "import the extension", "pytorch-runtime:PYTHON,MODULE"],
    ),
    (
        "an op of an extension in each release",
        {"m.pt": archived(ALIGN, "3")},
        "m.pt",
        0,
        ["not known to load in any release of pytorch", "`--library SPEC`"],
    ),
    (
        "an op of an extension that is named",
        {"m.pt": archived("ops.mine.twice(x)", "3"), "mine.txt": b"mine::twice(Tensor x) -> Tensor\n"},
        "m.pt --against pytorch@2.13.0 --library mine.txt",
        0,
        ["loads in pytorch 2.13.0"],
    ),
]

# ONNX: what to edit or to convert.


def onnx(op, opset=17, ir=8, dims=(2,)):
    value = onnx_models.value
    main = onnx_models.graph([onnx_models.node(op, ["x"], ["y"])], [value("x", 1, [2])], [value("y", 1, dims)])
    return {"m.onnx": onnx_models.model(main, opsets=[("", opset)] if opset else [], ir=ir)}


RUNTIME = "m.onnx --against onnxruntime@1.20.1"
ONNX = [
    ("a new IR version", onnx("Relu", 15, ir=14), RUNTIME, 1, ["set ir_version to 10, and keep the nodes"]),
    ("an opset without a kernel", onnx("Relu", 3), RUNTIME, 1, ["'Relu@1'", "convert the model to opset 6 or later"]),
    ("no opset", onnx("Relu", 0), RUNTIME, 1, ["it imports no opset", "add an opset_import of ai.onnx"]),
    (
        "an output without a shape",
        onnx("Relu", dims=None),
        "m.onnx --against onnx@1.23.2",
        1,
        ["the input or output 'y' has no type, or no shape", "onnx.shape_inference.infer_shapes"],
    ),
    ("a new opset", onnx("Relu", 23, ir=10), RUNTIME, 1, ["convert the model to opset 21"]),
    ("a new opset and IR version", onnx("Relu", 25, ir=13), RUNTIME, 1, ["set ir_version to 10, and convert"]),
    ("another op without a kernel", onnx("Selu", 5), RUNTIME, 1, ["'Selu@1'", "convert the model to opset 6 or later"]),
    ("an IR version alone", onnx("Abs", 13, ir=99), RUNTIME, 1, ["set ir_version to 10, and keep the nodes"]),
    ("the newest of both", onnx("Relu", 21, ir=10), RUNTIME, 0, ["loads in onnxruntime 1.20.1"]),
]

# TensorFlow and TensorFlow Lite.

VARIABLE = tensorflow_models.node("v", "VarHandleOp", dtype=FLOAT, shared_name="v", debug_name="v/")
COPIED = [VARIABLE, tensorflow_models.node("read", "DisableCopyOnRead", "v")]
FREEZE = "freeze its variables to constants"


def tensorflow(*nodes, producer=1987):
    return {"m.pb": tensorflow_models.graph(placeholder(), *nodes, producer=producer).SerializeToString()}


CONVOLUTION = tensorflow_models.node("y", "Conv2D", "x", "x", T=FLOAT, padding="SAME", explicit_paddings="")
OLD_OPS = b"""
op { name: "Placeholder" output_arg { name: "output" type_attr: "dtype" } attr { name: "dtype" type: "type" } }
op {
  name: "Conv2D"
  input_arg { name: "input" type_attr: "T" }
  input_arg { name: "filter" type_attr: "T" }
  output_arg { name: "output" type_attr: "T" }
  attr { name: "T" type: "type" }
  attr { name: "padding" type: "string" }
}
"""
OP_LIST = {"ops.pbtxt": OLD_OPS}


def fully_connected(version):
    return tflite_models.model([tflite_models.code(9, version)], [tflite_models.subgraph()])


def runtime(most, delegate):
    ops = {"FULLY_CONNECTED": {"min_version": 1, "max_version": most, "delegates": {"gpu": delegate}}}
    spec = {"opspec": 1, "provenance": {"framework": "tflite", "version": "2.17.1"}, "binding": "op_version"}
    return json.dumps({**spec, "knows": {"ops": ["min_version", "max_version", "delegates"]}, "ops": ops}).encode()


DELEGATED = "m.tflite --against runtime.json"
EDGE = [
    (
        "an attr of the exporter's own",
        tensorflow(VARIABLE),
        "m.pb --against tensorflow@2.4.4",
        1,
        ["'VarHandleOp' of the release has no attr 'debug_name'", FREEZE],
    ),
    (
        "an op of the exporter's own",
        tensorflow(*COPIED),
        "m.pb --against tensorflow@2.4.4",
        1,
        ["the release has no op 'DisableCopyOnRead'", FREEZE],
    ),
    (
        "an op list without a graph version",
        tensorflow(CONVOLUTION) | OP_LIST,
        "m.pb --against ops.pbtxt",
        0,
        ["does not state the graph version of the release", '"graph_versions": {"producer": N}'],
    ),
    (
        "an op list without a graph version, as an error",
        tensorflow(CONVOLUTION) | OP_LIST,
        "m.pb --against ops.pbtxt --unknown error",
        1,
        ["does not state the graph version of the release"],
    ),
    (
        "an op version above the delegate's",
        {"m.tflite": fully_connected(12), "runtime.json": runtime(12, 9)},
        f"{DELEGATED} --format markdown",
        0,
        ["gpu", "12", "9"],
    ),
    (
        "an op version that the delegate takes",
        {"m.tflite": fully_connected(9), "runtime.json": runtime(12, 9)},
        DELEGATED,
        0,
        ["loads in runtime.json"],
    ),
    (
        "an op version above the runtime's",
        {"m.tflite": fully_connected(13), "runtime.json": runtime(12, 9)},
        DELEGATED,
        1,
        ["is refused by"],
    ),
]


@pytest.mark.parametrize(
    ("files", "arguments", "code", "texts"),
    [pytest.param(*case[1:], id=case[0]) for case in (*PADDLE, *PYTORCH, *ONNX, *EDGE)],
)
def test_a_model(tmp_path, monkeypatch, files, arguments, code, texts):
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    ran = run("audit", *arguments.split())
    printed = re.sub(r"\s+", " ", ran.out + ran.err)
    assert (ran.code, [text for text in texts if text not in printed]) == (code, []), printed


# Repositories of PyTorch extensions.

SCALE, MASK = "ext::scale(Tensor x, float s=1.0) -> Tensor\n", "ext::mask(Tensor x, Tensor m) -> Tensor\n"
CHANGED = SCALE.replace("1.0", "2.0")
CONFIG = {"opspec-lint.toml": 'specs = ["specs/*.txt"]\n'}
EXT_FILE, CORE_FILE, MORE_FILE = "specs/ext.txt", "specs/core.txt", "specs/more.txt"


@pytest.mark.parametrize(
    ("base", "head", "code", "rules"),
    [
        ({EXT_FILE: SCALE + MASK}, {EXT_FILE: None, CORE_FILE: CHANGED + MASK}, 1, {"schema_default_changed"}),
        ({EXT_FILE: SCALE + MASK}, {EXT_FILE: None, CORE_FILE: SCALE, MORE_FILE: MASK}, 0, set()),
        (
            {EXT_FILE: SCALE + MASK},
            {EXT_FILE: None, CORE_FILE: CHANGED, MORE_FILE: MASK},
            1,
            {"schema_default_changed"},
        ),
        ({EXT_FILE: SCALE, CORE_FILE: MASK}, {EXT_FILE: None, CORE_FILE: None, MORE_FILE: MASK + SCALE}, 0, set()),
        ({EXT_FILE: SCALE + MASK}, {EXT_FILE: None, CORE_FILE: SCALE}, 1, {"op_removed"}),
    ],
    ids=["renamed and changed", "split", "split and changed", "merged", "split and removed"],
)
def test_ops_that_move_between_files(tmp_path, monkeypatch, base, head, code, rules):
    Repository.make(tmp_path / "top", CONFIG | base).stage(head)
    monkeypatch.chdir(tmp_path / "top")
    ran = run("check", "--format", "json")
    findings = json.loads(ran.out)["findings"]
    assert (ran.code, {finding["rule"] for finding in findings if finding["level"] == "error"}) == (code, rules)


def test_a_renamed_file_is_named_with_its_successor(tmp_path, monkeypatch):
    Repository.make(tmp_path / "top", CONFIG | {EXT_FILE: SCALE + MASK}).stage(
        {EXT_FILE: None, CORE_FILE: CHANGED + MASK}
    )
    monkeypatch.chdir(tmp_path / "top")
    assert re.search(rf"{EXT_FILE}.*{CORE_FILE}", run("check").out)


EXTENSION = """#include <torch/library.h>
{}TORCH_LIBRARY(k, m) {{
  m.def({});
  m.def("mask(Tensor x) -> Tensor");
}}
"""
SCHEMA = '"scale(Tensor x, float s=1.0) -> Tensor"'


@pytest.mark.parametrize(
    ("declared", "named", "code", "rules"),
    [
        (f"static constexpr char kScale[] = {SCHEMA};\n", "kScale", 0, []),
        (f"const char* const kScale = {SCHEMA};\n", "kScale", 0, []),
        (f"#define SCALE {SCHEMA}\n", "SCALE", 0, []),
        ("extern const char* kScale;\n", "kScale", 1, ["op_unresolved"]),
        (f"static constexpr char kScale[] = {SCHEMA.replace('=1.0', '')};\n", "kScale", 1, ["schema_default_removed"]),
    ],
    ids=["an array", "a pointer", "a macro", "elsewhere", "without its default"],
)
def test_a_schema_that_became_a_constant(tmp_path, monkeypatch, declared, named, code, rules):
    made = Repository.make(tmp_path / "top", {"ops.cpp": EXTENSION.format("", SCHEMA)})
    made.stage({"ops.cpp": EXTENSION.format(declared, named)})
    monkeypatch.chdir(tmp_path / "top")
    ran = run("check", "pytorch-source:.@main", "pytorch-source:.", "--format", "json")
    assert (ran.code, [finding["rule"] for finding in json.loads(ran.out)["findings"]]) == (code, rules)


@pytest.mark.parametrize("branch", ["main", "trunk"])
def test_init_before_there_is_a_remote(tmp_path, monkeypatch, branch):
    """A clone of another branch has the base as a remote branch only."""
    made = Repository.make(tmp_path / "up", {"ops.cpp": EXTENSION.format("", SCHEMA)})
    made.git("branch", "-m", branch)
    monkeypatch.chdir(tmp_path / "up")
    assert run("init").code == 0
    made.git("add", "-A")
    made.git("commit", "-qm", "lint")
    made.git("branch", "feature")
    clone = made.clone(tmp_path / "ci", "--branch=feature")
    monkeypatch.chdir(clone.top)
    ran = run("check")
    assert (ran.code, "not a revision" in ran.err) == (0, False), ran.err

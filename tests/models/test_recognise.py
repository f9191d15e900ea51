from __future__ import annotations

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.models import format as formats
from opspec_lint.models.files import LfsPointerError, NoModelError, UnknownKindError
from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.models.recognise import is_named_as_model, read_model
from tests.support import zoo
from tests.support.hostile import models as hostile_models
from tests.support.models import paddle_programs, pir_models
from tests.support.models.tensorflow_models import FLOAT, graph, meta_graph, node, placeholder, saved_model, write

X = placeholder()


def made(tmp_path):
    """A model of each format, by the format's name."""
    result = {}
    for name, (path, files) in hostile_models.seeds().items():
        hostile_models.write(tmp_path / name, files)
        result[name] = str(tmp_path / name / path)
    return result


def test_every_format_is_recognised_and_no_other_claims_it(tmp_path):
    models = made(tmp_path)
    assert set(models) == set(formats.MODEL_FORMATS.names())
    for name, path in models.items():
        assert read_model(path).format == name
        claimed = [item.name for item in MODEL_FORMATS.every() if item.claims(formats.Candidate(path))]
        assert claimed == [name]


def test_different_ways_to_name_a_model(tmp_path):
    models = made(tmp_path)
    assert read_model(f"{models['saved_model']}/saved_model.pb").format == "saved_model"
    assert read_model(f"{models['tensorflow_checkpoint']}.index").format == "tensorflow_checkpoint"


def test_what_is_read_is_reported(tmp_path):
    (meta,) = read_model(str(saved_model(tmp_path / "saved", meta_graph(graph(X), "serve")))).meta_graphs
    assert (meta.tags, meta.written_by, meta.producer) == (("serve",), "2.12.1", 1395)
    (node,) = meta.graphs[0].nodes
    assert (node.name, node.op, node.attrs) == ("x", "Placeholder", {"dtype": {"type": "DT_FLOAT"}})
    (tensor,) = read_model(made(tmp_path)["tensorflow_checkpoint"]).checkpoint
    assert (tensor.name, tensor.dtype, tensor.shape) == ("w", "float32", (2,))


@pytest.mark.parametrize("data", [b"hello", b"{}", b"\x80\x04cos\nsystem\n", bytes(100)])
def test_a_file_of_an_unknown_kind(tmp_path, data):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(UnknownKindError, match="not a saved model of a known kind") as caught:
        read_model(str(tmp_path / "file"))
    assert caught.value.advice == "name a model of a kind that `opspec-lint audit --help` lists"


PICKLED = b"PK\x03\x04" + bytes(22)
UNREAD = [
    ("net.h5", b"\x89HDF\r\n\x1a\n" + bytes(90), "HDF5", "keras.models.load_model"),
    ("net.keras", PICKLED + b"metadata.json", "Keras archive", ".export(FOLDER)"),
    ("renamed.zip", PICKLED + b"metadata.json" + PICKLED + b"config.json", "Keras archive", ".export(FOLDER)"),
    ("net.pte", bytes(4) + b"ET12" + bytes(90), "ExecuTorch", ".pt2"),
    ("net.ort", bytes(4) + b"ORTM" + bytes(90), "ONNX Runtime's own", ".onnx"),
    ("net.mlmodel", b"\x08\x07\x12\x02", "Core ML", "coremltools"),
    ("net.xml", b'<?xml version="1.0"?>\n<net name="n" version="11">', "OpenVINO", "converted from"),
    ("net.safetensors", (64).to_bytes(8, "little") + b'{"w":{}}', "weights", ".pt2"),
    ("net.gguf", b"GGUF" + bytes(90), "weights", ".onnx"),
    ("net.engine", b"ftrt" + bytes(90), "TensorRT", ".onnx"),
    ("model.json", b'{"format": "graph-model", "generatedBy": "2.18.0"}', "TensorFlow.js", "SavedModel"),
    ("net.pdiparams", bytes(90), "weights of a Paddle model", ".pdmodel"),
    ("models.zip", PICKLED, "archive", "--results"),
]


@pytest.mark.parametrize(("name", "data", "kind", "remedy"), UNREAD)
def test_a_file_of_a_kind_that_is_not_read(tmp_path, name, data, kind, remedy):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UnknownKindError) as caught:
        read_model(str(tmp_path / name))
    assert kind in caught.value.problem
    assert remedy in caught.value.advice
    assert "\n" not in caught.value.line
    assert "GraphDef" not in caught.value.line


@pytest.mark.parametrize(
    ("names", "problem", "advice"),
    [
        ((), "holds no model of a known kind", "--results models.sqlite"),
        (("a.onnx",), "holds a.onnx", "name {folder}/a.onnx"),
        (("a.onnx", "b.onnx", "c.onnx", "d.onnx"), "holds a.onnx, b.onnx, c.onnx and 1 more", "--results"),
        (("a.pdmodel", "b.pdmodel"), "holds a.pdmodel, b.pdmodel", "name one of them"),
    ],
)
def test_a_folder_that_is_no_model(tmp_path, names, problem, advice):
    for name in names:
        (zoo.onnx if name.endswith(".onnx") else zoo.program)(tmp_path / name)
    with pytest.raises(NoModelError) as caught:
        read_model(str(tmp_path))
    assert problem in caught.value.problem
    assert advice.format(folder=tmp_path) in caught.value.advice


@pytest.mark.parametrize(
    ("files", "form"),
    [
        (("inference.pdmodel", "inference.pdiparams", "inference.yml"), "paddle_program"),
        (("inference.json", "inference.pdiparams", "config.json"), "paddle_pir"),
        (("__model__", "other.pdmodel"), "paddle_program"),
    ],
)
def test_a_folder_with_a_single_program(tmp_path, files, form):
    program = {"paddle_program": paddle_programs.program, "paddle_pir": pir_models.program}[form]()
    for name in files:
        is_program = name == "__model__" or (name.startswith("inference.") and name.endswith(("model", "json")))
        (tmp_path / name).write_bytes(program if is_program else b"{}")
    model = read_model(str(tmp_path))
    assert (model.format, model.file) == (form, str(tmp_path))


def test_a_folder_with_two_forms_of_a_program(tmp_path):
    """Each loader takes its own, so the user has to name one."""
    (tmp_path / "inference.pdmodel").write_bytes(paddle_programs.program())
    (tmp_path / "inference.json").write_bytes(pir_models.program())
    (tmp_path / "inference.pdiparams").write_bytes(b"")
    with pytest.raises(NoModelError, match=r"holds inference\.json, inference\.pdmodel"):
        read_model(str(tmp_path))


def test_a_model_of_another_format_than_the_loader_takes(tmp_path):
    path = zoo.program(tmp_path / "net.pdmodel")
    with pytest.raises(UnknownKindError) as caught:
        read_model(str(path), ["paddle_pir"])
    assert caught.value.problem.startswith("is Paddle's ProgramDesc")
    assert "--loader inference_predictor or legacy_executor" in caught.value.advice


def test_nothing_and_an_empty_folder_are_no_models(tmp_path):
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(NoModelError):
            read_model(str(path))


def test_endings_that_only_models_have():
    assert is_named_as_model("a/b.tflite")
    assert is_named_as_model("b.pdmodel")
    assert [is_named_as_model(path) for path in ("a.tflite/b.json", "b.pb", "tflite", "")] == [False] * 4


def test_an_op_list_is_no_graph(tmp_path):
    from tests.support.models.tensorflow_models import message

    ops = message("OpList")()
    ops.op.add(name="f").input_arg.add(name="x", type=FLOAT)
    with pytest.raises(InputError, match="is not a saved model of a known kind"):
        read_model(write(tmp_path / "ops.pb", ops))


def test_a_pointer_of_git_lfs_is_reported_to_be_one(tmp_path):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
    (tmp_path / "m.pdmodel").write_text(pointer, encoding="utf-8")
    with pytest.raises(LfsPointerError, match="git-lfs"):
        read_model(str(tmp_path / "m.pdmodel"))


def test_a_node_is_built_where_somebody_looks(tmp_path):
    path = write(tmp_path / "graph.pb", graph(X, node("y", "NoOp"), node("z", "NoOp")))
    nodes = read_model(path).meta_graphs[0].graphs[0].nodes
    assert [node.name for node in nodes[1:]] == ["y", "z"]
    assert nodes.ops() == ("Placeholder", "NoOp", "NoOp")


def test_bytes_that_lie_in_no_file_are_recognised_as_those_of_a_file(tmp_path):
    single = {name: path for name, path in made(tmp_path).items() if len(hostile_models.seeds()[name][1]) == 1}
    assert single
    for name, path in single.items():
        with open(path, "rb") as stream:
            data = stream.read()
        claimed = [item.name for item in MODEL_FORMATS.every() if item.claims(formats.Candidate("none", data))]
        assert claimed == [name]

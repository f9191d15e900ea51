from __future__ import annotations

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.models import format as formats
from opspec_lint.models.files import LfsPointerError, NoModelError
from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.models.recognise import is_named_as_model, read_model
from tests.support.hostile import models as hostile_models
from tests.support.models.tensorflow_models import FLOAT, graph, meta_graph, node, placeholder, saved_model, write

X = placeholder()


def made(tmp_path):
    """A model of each format, by the format's name."""
    found = {}
    for name, (path, files) in hostile_models.seeds().items():
        hostile_models.write(tmp_path / name, files)
        found[name] = str(tmp_path / name / path)
    return found


def test_every_format_is_recognised_and_no_other_claims_it(tmp_path):
    models = made(tmp_path)
    assert set(models) == set(formats.MODEL_FORMATS.names())
    for name, path in models.items():
        assert read_model(path).format == name
        claimed = [each.name for each in MODEL_FORMATS.every() if each.claims(formats.Candidate(path))]
        assert claimed == [name]


def test_other_ways_to_name_a_model(tmp_path):
    models = made(tmp_path)
    assert read_model(f"{models['saved_model']}/saved_model.pb").format == "saved_model"
    assert read_model(f"{models['tensorflow_checkpoint']}.index").format == "tensorflow_checkpoint"


def test_what_is_read_is_said(tmp_path):
    (meta,) = read_model(str(saved_model(tmp_path / "saved", meta_graph(graph(X), "serve")))).meta_graphs
    assert (meta.tags, meta.written_by, meta.producer) == (("serve",), "2.12.1", 1395)
    (found,) = meta.graphs[0].nodes
    assert (found.name, found.op, found.attrs) == ("x", "Placeholder", {"dtype": {"type": "DT_FLOAT"}})
    (tensor,) = read_model(made(tmp_path)["tensorflow_checkpoint"]).checkpoint
    assert (tensor.name, tensor.dtype, tensor.shape) == ("w", "float32", (2,))


@pytest.mark.parametrize("data", [b"hello", b"{}", b"PK\x03\x04", b"\x80\x04cos\nsystem\n", bytes(100)])
def test_what_is_no_model_is_named_with_the_kinds_that_are(tmp_path, data):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(InputError, match="not a saved model of a known kind") as caught:
        read_model(str(tmp_path / "file"))
    assert "SavedModel" in caught.value.advice
    assert "ProgramDesc" in caught.value.advice


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


def test_a_pointer_of_git_lfs_is_said_to_be_one(tmp_path):
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"
    (tmp_path / "m.pdmodel").write_text(pointer, encoding="utf-8")
    with pytest.raises(LfsPointerError, match="git-lfs"):
        read_model(str(tmp_path / "m.pdmodel"))


def test_a_node_is_built_where_somebody_looks(tmp_path):
    path = write(tmp_path / "graph.pb", graph(X, node("y", "NoOp"), node("z", "NoOp")))
    nodes = read_model(path).meta_graphs[0].graphs[0].nodes
    assert [each.name for each in nodes[1:]] == ["y", "z"]
    assert nodes.ops() == ("Placeholder", "NoOp", "NoOp")


def test_bytes_that_lie_in_no_file_are_recognised_as_those_of_a_file(tmp_path):
    single = {name: path for name, path in made(tmp_path).items() if len(hostile_models.seeds()[name][1]) == 1}
    assert single
    for name, path in single.items():
        with open(path, "rb") as stream:
            data = stream.read()
        claimed = [each.name for each in MODEL_FORMATS.every() if each.claims(formats.Candidate("none", data))]
        assert claimed == [name]

"""A model that is read from the tape of an earlier reading is the same model, without its files."""

import os
import shutil

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.models import tape
from opspec_lint.models.recognise import read_model
from opspec_lint.models.storage import DISK, use_storage
from tests.support import zoo


def _described(path):
    model = read_model(path)
    nodes = [node for meta in model.meta_graphs for graph in meta.graphs for node in graph.nodes]
    return model.format, model.meta_graphs[0].signatures if model.meta_graphs else (), nodes, model.checkpoint


def _recorded(path):
    recorder = tape.Recorder(DISK, path)
    with use_storage(recorder):
        described = _described(path)
    assert recorder.is_unchanged()
    return described, recorder.tape()


@pytest.mark.parametrize("kind", sorted(zoo.WRITERS))
def test_a_tape_is_the_model(tmp_path, kind):
    path = zoo.WRITERS[kind](tmp_path / "here")
    described, result = _recorded(str(path))
    data = result.encode()
    shutil.rmtree(tmp_path / "here")
    elsewhere = os.path.join(str(tmp_path), "there", os.path.relpath(path, tmp_path / "here"))
    with use_storage(tape.Player(tape.decode(tape.decompress(tape.compress(data))), elsewhere)):
        assert _described(elsewhere) == described


def test_weights_are_not_on_the_tape(tmp_path):
    path = zoo.onnx(tmp_path / "model.onnx", weights=8 << 20)
    described, result = _recorded(str(path))
    assert sum(len(data) for file in result.files.values() for _, data in file.parts) < 64 << 10
    with use_storage(tape.Player(tape.decode(result.encode()), str(path))):
        assert _described(str(path)) == described


def test_what_was_not_looked_at_is_not_guessed(tmp_path):
    path = zoo.onnx(tmp_path / "model.onnx", weights=8 << 20)
    _, result = _recorded(str(path))
    player = tape.Player(result, str(path))
    with pytest.raises(tape.NotRecordedError):
        player.open(str(path)).read()
    with pytest.raises(tape.NotRecordedError):
        player.status(str(tmp_path / "other"))


def test_equal_models_have_equal_tapes_wherever_they_lie(tmp_path):
    first, second = (zoo.onnx(tmp_path / name / "model.onnx") for name in "ab")
    assert _recorded(str(first))[1].encode() == _recorded(str(second))[1].encode()
    third = zoo.onnx(tmp_path / "c" / "model.onnx", op="Tanh")
    assert _recorded(str(first))[1].encode() != _recorded(str(third))[1].encode()


def test_a_change_is_seen(tmp_path):
    path = zoo.onnx(tmp_path / "model.onnx")
    recorder = tape.Recorder(DISK, str(path))
    with use_storage(recorder):
        read_model(str(path))
    zoo.onnx(path, op="Tanh")
    assert not recorder.is_unchanged()


@pytest.mark.parametrize("data", [b"", b"abc", b"\x05\0\0\0[]", b"\xff\xff\xff\xff{}"])
def test_bytes_that_are_no_tape(data):
    with pytest.raises(ValueError):  # noqa: PT011 - the kind is what counts
        tape.decode(data)


def test_what_cannot_be_read_is_the_same_on_the_tape(tmp_path):
    path = tmp_path / "broken.onnx"
    path.write_bytes(b"\x08\x07\x3a\xff\xff\x03broken")
    recorder = tape.Recorder(DISK, str(path))
    with use_storage(recorder), pytest.raises(InputError) as first:
        read_model(str(path))
    with use_storage(tape.Player(recorder.tape(), str(path))), pytest.raises(InputError) as second:
        read_model(str(path))
    assert str(first.value) == str(second.value)

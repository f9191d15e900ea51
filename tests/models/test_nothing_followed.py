"""A reader of a model opens the model's own file, and no other: not the files that it names, wherever they are."""

from __future__ import annotations

import builtins
import io
import json
import os
import zipfile

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.models.recognise import read_model
from opspec_lint.models.view import VIEWS, ShownModel
from tests.support.hostile import models as hostile_models
from tests.support.models import onnx_models, pytorch_models

FORMATS = [name for name in hostile_models.seeds() if len(hostile_models.seeds()[name][1]) == 1]
OWN = "/opspec_lint/"


@pytest.fixture
def opened(monkeypatch):
    """Return the files that are opened from now on, but those of the program."""
    texts = []
    real = builtins.open

    def watched(file, *arguments, **options):
        if OWN not in str(file):
            texts.append(str(file))
        return real(file, *arguments, **options)

    monkeypatch.setattr(builtins, "open", watched)
    monkeypatch.setattr(io, "open", watched)
    return texts


@pytest.mark.parametrize("name", FORMATS)
def test_no_file_is_opened_but_the_model(tmp_path, opened, name):
    ((file, data),) = hostile_models.seeds()[name][1].items()
    path = tmp_path / "models" / file
    path.parent.mkdir()
    path.write_bytes(data)
    del opened[:]
    made = read_model(str(path))
    assert all(VIEWS.load(name).render([ShownModel(model=made)]) for name in VIEWS.names())
    assert set(opened) == {str(path)}


@pytest.mark.parametrize("file", ["../beside.bin", "/etc/passwd", "beside.bin", "/dev/zero", "pipe", "../" * 99 + "x"])
def test_weights_next_to_a_model_are_named_and_not_opened(tmp_path, opened, file):
    path = tmp_path / "models" / "m.onnx"
    path.parent.mkdir()
    (tmp_path / "beside.bin").write_bytes(b"x")
    (path.parent / "beside.bin").write_bytes(b"x")
    os.mkfifo(path.parent / "pipe")
    path.write_bytes(onnx_models.model(onnx_models.graph(weights=[onnx_models.weight("w", [1], file=file)])))
    del opened[:]
    (meta,) = read_model(str(path)).meta_graphs
    assert [asset.file for asset in meta.assets] == [file]
    assert set(opened) == {str(path)}


@pytest.mark.parametrize("name", ["../../m/beside", "/etc/beside", "m/../../beside", "m\\..\\beside"])
def test_an_archive_whose_entries_are_named_outside_it_is_read_in_place(tmp_path, opened, name):
    """No entry is written anywhere, and none is looked for beside the archive."""
    path = tmp_path / "models" / "m.pt2"
    path.parent.mkdir()
    entries = {"m/models/model.json": json.dumps(pytorch_models.program()), name: "x", "m/data/weights/../../w": "x"}
    path.write_bytes(pytorch_models.zipped(entries))
    del opened[:]
    made = read_model(str(path))
    assert all(VIEWS.load(name).render([ShownModel(model=made)]) for name in VIEWS.names())
    assert set(opened) == {str(path)}
    assert [path.name for path in tmp_path.rglob("*")] == ["models", "m.pt2"]


def test_a_link_in_an_archive_is_what_it_holds(tmp_path, opened):
    path = tmp_path / "m.pt2"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("m/models/model.json")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    del opened[:]
    with pytest.raises(InputError, match="is not a program"):
        read_model(str(path))
    assert set(opened) == {str(path)}

"""A worker whose models go or change while it reads them."""

import pytest

from opspec_lint.zoo import specs, worker
from opspec_lint.zoo.work import Job, Place, Setup
from tests.support import zoo


@pytest.fixture
def read():
    """Read the model of a path, and return its row."""
    setup = Setup(targets=(specs.make_target("onnx@1.23.2", lambda: None, None),))
    return lambda path: worker.audit_batch(setup, [Job(place=Place(path=str(path)), targets=(0,))])[0]


def test_a_file_that_goes_after_it_was_listed(tmp_path, read):
    (verdict,) = read(tmp_path / "gone.pb").verdicts
    assert verdict.verdict == "unreadable"


def test_a_file_that_changes_while_it_is_read(tmp_path, read, monkeypatch):
    path = zoo.onnx(tmp_path / "model.onnx")
    original, reads = worker.read_model, []

    def read_model(name):
        result = original(name)
        reads.append(name)
        zoo.onnx(path, weights=len(reads) * 8)
        return result

    monkeypatch.setattr(worker, "read_model", read_model)
    (verdict,) = read(path).verdicts
    assert (verdict.verdict, len(reads)) == ("unreadable", 3)
    assert "changed while it was read" in verdict.findings


def test_a_file_that_changes_once_is_read_again(tmp_path, read, monkeypatch):
    path = zoo.onnx(tmp_path / "model.onnx", op="Upsample", opset=13)
    original, reads = worker.read_model, []

    def read_model(name):
        result = original(name)
        reads.append(name)
        if len(reads) == 1:
            zoo.onnx(path, weights=64)
        return result

    monkeypatch.setattr(worker, "read_model", read_model)
    row = read(path)
    assert [verdict.verdict for verdict in row.verdicts] == ["loads"]

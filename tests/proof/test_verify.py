"""Verdicts of audits against the loader of an interpreter, with a runtime that is made up."""

import json
import sys

import pytest

from opspec_lint.frameworks.tflite.saved.codes import BUILTINS
from tests.proof import fake_runtimes
from tests.support import zoo
from tests.support.models import tflite_models
from tests.support.programs import run

RELEASE = "2.1.2"
RUNTIME = """
import os
class Interpreter:
    def __init__(self, model_path):
        with open(model_path, "rb") as stream:
            self.model = stream.read()
        if b"refuse me" in self.model:
            raise ValueError("no kernel\\nfor this")
        if b"crash me" in self.model:
            os.abort()
    def allocate_tensors(self):
        if b"refuse my tensors" in self.model:
            raise RuntimeError("unresolved custom op")
"""


@pytest.fixture
def python(tmp_path):
    """Return an interpreter with a runtime that refuses a model, or crashes, by its description."""
    return fake_runtimes.interpreter_of(tmp_path / "runtimes", RELEASE, RUNTIME)


def model(path, description="take me", version=1, *, is_unknown=False):
    """Write a model; whether one loads is unknown if a stated shape that another node computes does not fit."""
    path.parent.mkdir(exist_ok=True)
    codes, graph = [tflite_models.code(0, version)], tflite_models.subgraph()
    if is_unknown:
        codes = [tflite_models.code(BUILTINS.index(name)) for name in ("ABS", "SQUEEZE")]
        tensors = [tflite_models.tensor(name, shape) for name, shape in (("x", (2, 2)), ("y", (3, 2)), ("z", (2,)))]
        nodes = [tflite_models.operator(0, [0], [1]), tflite_models.with_options(1, "SQUEEZE", {0: [0]}, [1], [2])]
        graph = tflite_models.subgraph(tensors, [0], [], nodes)
    path.write_bytes(tflite_models.model(codes, [graph], description=description))
    return path


def verified(*arguments):
    ran = run("audit", *arguments, "--format", "json")
    rows = json.loads(ran.out)["rows"]
    return ran.code, [(row["verdict"], row["outcome"], row["agreement"]) for row in rows]


@pytest.mark.parametrize(
    ("made", "code", "row"),
    [
        ({}, 0, ("loads", "loads", "agrees")),
        ({"version": 99, "description": "refuse me"}, 0, ("refused", "refused", "agrees")),
        ({"version": 99, "description": "crash me"}, 0, ("refused", "crashed", "agrees")),
        ({"version": 99, "description": "refuse my tensors"}, 0, ("refused", "refused", "agrees")),
        ({"version": 99}, 1, ("refused", "loads", "differs")),
        ({"description": "refuse me"}, 1, ("loads", "refused", "differs")),
        ({"description": "crash me"}, 1, ("loads", "crashed", "differs")),
        ({"is_unknown": True}, 0, ("cannot_tell", "loads", "unknown")),
    ],
)
def test_a_row_compares_a_verdict_with_its_loader(tmp_path, python, made, code, row):
    assert verified(model(tmp_path / "net.tflite", **made), "--verify", python) == (code, [row])


def test_text_has_both_reasons_where_they_differ(tmp_path, python):
    folder = tmp_path / "models"
    model(folder / "a.tflite")
    model(folder / "b.tflite", "refuse me", is_unknown=True)
    model(folder / "c.tflite", version=99)
    (folder / "notes.txt").write_text("no model")
    ran = run("audit", folder, "--verify", python)
    assert ran.code == 1
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    loader = f"litert@{RELEASE} tflite.Interpreter"
    assert lines[0] == "model release loader audit loader did"
    assert lines[1] == f"agrees {folder}/a.tflite {loader} loads loads"
    assert lines[2] == f"unknown {folder}/b.tflite {loader} cannot_tell refused"
    assert lines[3].startswith("audit: cannot tell: ")
    assert "loader: ValueError: no kernel for this" in lines
    assert f"differs {folder}/c.tflite {loader} refused loads" in lines
    assert lines[-1] == "3 rows: 1 agree, 1 differ, 1 unknown"


def test_several_interpreters(tmp_path, python):
    newer = fake_runtimes.interpreter_of(tmp_path / "runtimes", "2.3.0", RUNTIME)
    ran = run("audit", model(tmp_path / "net.tflite"), "--verify", python, "--verify", newer, "--format", "json")
    assert [row["release"] for row in json.loads(ran.out)["rows"]] == ["litert@2.1.2", "litert@2.3.0"]


def test_wrong_usage(tmp_path, python):
    path = model(tmp_path / "net.tflite")
    for arguments, code, problem in (
        ((path, "--verify", sys.executable), 3, "has no TFLite runtime"),
        ((path, "--verify", tmp_path / "none"), 3, "none"),
        ((path, "--verify", python, "--tags", "serve"), 2, "--tags has no effect with --verify"),
        ((path, "--verify", python, "--format", "html"), 2, "--format html cannot show a verification"),
        (("--verify", python), 2, "no model was named"),
        ((tmp_path / "gone.tflite", "--verify", python), 3, "there is no such file"),
        ((zoo.onnx(tmp_path / "net.onnx"), "--verify", python), 3, "has no "),
    ):
        ran = run("audit", *arguments)
        assert (ran.code, ran.out) == (code, "")
        assert problem in ran.err

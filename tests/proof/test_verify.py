"""Verdicts of audits against the loader of an interpreter, with a runtime that is made up."""

import json
import sys

import pytest

from opspec_lint.frameworks.tflite.saved.codes import BUILTINS
from tests.proof import fake_runtimes
from tests.support import zoo
from tests.support.models import paddle_programs, tflite_models
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


PADDLE = {
    "numpy.py": "",
    "paddle/__init__.py": "__version__ = '2.6.2'",
    "paddle/base/__init__.py": "",
    "paddle/base/core.py": """
class ProgramDesc:
    op = None
    def __init__(self, data):
        self.data = data
    def block(self, number):
        return self
    def op_size(self):
        return 0
    def all_vars(self):
        return []
class Place:
    def set_place(self, place):
        pass
class Executor:
    def __init__(self, place):
        pass
    def run(self, program, *arguments):
        if b"breaks" in program.data:
            raise RuntimeError("the kernel failed")
CPUPlace = Scope = Place
""",
}
"""A Paddle that loads every program, and fails to run one with this name in it."""


@pytest.mark.parametrize(
    ("output", "floats", "row"),
    [
        ("breaks", [], ("fails_at_run", "refused", "agrees")),
        ("works", [], ("fails_at_run", "loads", "differs")),
        ("breaks", [1.0], ("changed", "loads", "agrees")),  # not run, as the verdict is not about a run
    ],
)
def test_a_failing_run_is_verified_by_a_run(tmp_path, output, floats, row):
    for name, text in PADDLE.items():
        file = tmp_path / "packages" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    python = fake_runtimes.interpreter_with(tmp_path / "packages")
    attrs = {"shape": ("INTS", [1]), "dtype": ("INT", 5), "fp32_values": ("FLOATS", floats)}
    made = paddle_programs.program(paddle_programs.node("assign_value", {}, {"Out": [output]}, **attrs))
    (tmp_path / "net.pdmodel").write_bytes(made)
    arguments = (tmp_path / "net.pdmodel", "--verify", python, "--loader", "legacy_executor")
    assert verified(*arguments) == (int(row[2] == "differs"), [row])


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

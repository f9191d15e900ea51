"""The examples of the commands' help, run in a clone of a small tree of Paddle."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from multiprocessing import resource_tracker
from types import SimpleNamespace

import pytest

from opspec_lint.cli.command import COMMANDS
from opspec_lint.sources import released
from tests.frameworks.paddle.test_paddle_runtime import FakePaddle
from tests.site.test_site import proven
from tests.support.models import onnx_models, paddle_programs, tensorflow_models
from tests.support.repositories import Repository, spec
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS
from tools.docs import generate

PROOFS = proven(
    SimpleNamespace(fingerprint="0" * 16, rule="op_removed", level="error", kind="op", op="histogram", name="histogram")
)
EXAMPLES = [example for name in COMMANDS.names() for example in getattr(COMMANDS.load(name), "EXAMPLES", ())]
ELSEWHERE = {
    "opspec-lint prove paddle@2.6.2 paddle@3.0.0 --op histogram --head-python venv/bin/python": "an installed Paddle",
}
"""The examples that no small file can make true, with the reason."""
CODES = {
    "opspec-lint audit net.onnx --against onnxruntime@1.23.2": 1,
    "opspec-lint audit models/ --results models.sqlite": 1,
    "opspec-lint check paddle@2.6.2 paddle@3.0.0": 1,
    "opspec-lint sync": 1,
}
SMALL_RELEASES = {False: ["tflite@2.0.4", "tflite@2.5.3"], True: ["onnx@1.5.0", "onnxruntime@1.16.3"]}
"""The releases of a site, and of one that is limited to the frameworks or the ops of ONNX."""
SOURCES = 'specs: [{file: specs/paddle.json, source: "paddle-source:."}]\nbase: origin/main\n'


def maker(axis):
    body = f'AddInput("X", "x"); AddAttr<int>("axis", "a").SetDefault({axis});'
    ops = (
        f"class {name}Op : public framework::OperatorWithKernel {{}};\n"
        + CLASS.format(name=f"{name}Maker", body=body)
        + f"REGISTER_OPERATOR({name}, ops::{name}Op, ops::{name}Maker);\n"
        for name in ("softmax", "conv2d")
    )
    return {f"{OPERATORS}/ops.cc": "".join(ops)}


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """A clone with the releases, branches and files that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    origin = Repository.make(folder / "origin", BASE | maker(1))
    origin.git("tag", "v2.6.2")
    origin.commit(maker(2))
    origin.git("tag", "v3.0.0")
    origin.git("branch", "develop")
    made = origin.clone(folder / "work")
    made.environment["XDG_CACHE_HOME"] = str(folder / "cache")
    program = paddle_programs.program(paddle_programs.node("relu", {"X": ["x"]}, {"Out": ["out"]}))
    names = ("net.onnx", "old.onnx", "new.onnx", "models/a.onnx")
    models = {**dict.fromkeys(names, onnx_models.whole()), "inference.pdmodel": program}
    made.write(models | {"proofs.json": json.dumps(PROOFS)})
    # What is ignored outlives `git clean`.
    made.write({".git/info/exclude": "*.onnx\n*.pdmodel\n*.sqlite\nexport\naudit.json\nproofs.json\n"})
    made.opspec("history", "paddle-source:.", "--output", "paddle.sqlite")
    made.opspec("audit", "net.onnx", "--against", "onnxruntime@1.23.2", "--format", "json=audit.json")
    graph = tensorflow_models.graph(tensorflow_models.placeholder())
    tensorflow_models.saved_model(made.top / "export", tensorflow_models.meta_graph(graph, "serve"))
    FakePaddle(folder).write()
    made.environment["PYTHONPATH"] = str(folder)
    return made


@pytest.mark.parametrize("example", [example for example in EXAMPLES if example not in ELSEWHERE])
def test_an_example_runs(work, example, monkeypatch):
    program, *arguments = shlex.split(example.partition(" > ")[0].replace("*.json", "paddle.json"))
    if arguments[0] in ("init", "sync", "config", "validate", "waive"):
        work.git("clean", "-fdq")
        work.git("checkout", "-q", "--", ".")
        work.git("rm", "-rqf", "--ignore-unmatch", "specs", "opspec-lint.yaml")
        if arguments[0] != "init":
            work.write({"opspec-lint.yaml": SOURCES, "specs/paddle.json": spec("abs")})
            work.git("add", "opspec-lint.yaml", "specs")
        if "--canonical" in arguments:
            work.opspec("sync", "--fix")
    if example.startswith("opspec-lint waive 5"):
        work.write(maker(3) | {"opspec-lint.yaml": 'source: "paddle-source:."\nbase: origin/main\n'})
        findings = json.loads(work.opspec("check", "--format", "json").stdout)["findings"]
        arguments[1] = findings[0]["fingerprint"]
    if arguments[0] == "site":
        # A site of all releases takes a minute, and one of large releases seconds.
        is_limited = "--only" in arguments or "--ops" in arguments
        names = SMALL_RELEASES[is_limited] if "--history" not in arguments else ["paddle@2.6.2", "paddle@3.0.0"]
        monkeypatch.setattr(released, "names", lambda *_: names)
        shutil.rmtree(work.top / "ops", ignore_errors=True)
    ran = work.opspec(*arguments) if arguments[0] != "lsp" else served(work, arguments)
    assert program == "opspec-lint"
    assert ran.returncode == CODES.get(example, 0), ran.stderr


def test_workers_start_in_a_fork_of_a_process_that_used_multiprocessing(work):
    resource_tracker.ensure_running()
    assert work.opspec("audit", "models/", "--results", "again.sqlite").returncode == 1


def served(work, arguments):
    """Run a server that an editor starts and ends."""
    steps = (("initialize", {"processId": None, "rootUri": None, "capabilities": {}}), ("shutdown", None))
    messages = [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(steps)
    ]
    texts = map(json.dumps, [*messages, {"jsonrpc": "2.0", "method": "exit"}])
    given = "".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in texts)
    return work.run(sys.executable, "-m", "opspec_lint", *arguments, input=given)


def test_the_page_states_what_is_not_run():
    assert set(ELSEWHERE) <= set(EXAMPLES)
    assert {example.split()[1] for example in ELSEWHERE} == set(generate.NOT_RUN)

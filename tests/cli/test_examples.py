"""The examples of the commands' help, run in a clone of a small tree of Paddle."""

from __future__ import annotations

import shlex

import pytest

from opspec_lint.cli.command import COMMANDS
from tests.support.models import onnx_models
from tests.support.repositories import Repository, spec
from tests.support.trees.paddle_trees import BASE, CLASS, OPERATORS

EXAMPLES = [example for name in COMMANDS.names() for example in getattr(COMMANDS.load(name), "EXAMPLES", ())]
ELSEWHERE = {
    "opspec-lint audit export/": "a SavedModel: tests/frameworks/tensorflow",
    "opspec-lint audit models/ --results models.sqlite": "many models: tests/zoo",
    "opspec-lint extract paddle-runtime --output specs/paddle.json": "an installed Paddle: pytest -m wheel",
    "opspec-lint lsp --stdio": "a server: tests/editor",
    "opspec-lint prove paddle@2.6.2 paddle@3.0.0 --op histogram --head-python venv/bin/python": "an installed Paddle",
    "opspec-lint show export/": "a SavedModel: tests/frameworks/tensorflow",
    "opspec-lint show inference.pdmodel --against paddle@3.0.0 --format mermaid": "a model: tests/frameworks/paddle",
    "opspec-lint site ops/": "a minute: tests/site",
    "opspec-lint site ops/ --history paddle.sqlite --proofs proofs.json": "a minute: tests/site",
    "opspec-lint waive 50162ea54a77 --owner ops-team --reason 'no model uses it'": "a fingerprint: test_waive.py",
}
"""Where the examples are run that no small file can make true."""
CODES = {
    "opspec-lint audit net.onnx --against onnxruntime@1.23.2": 1,
    "opspec-lint check paddle@2.6.2 paddle@3.0.0": 1,
    "opspec-lint sync": 1,
}
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
    made.write({"net.onnx": onnx_models.whole()})
    made.opspec("history", "paddle-source:.", "--output", "paddle.sqlite")
    return made


@pytest.mark.parametrize("example", [example for example in EXAMPLES if example not in ELSEWHERE])
def test_an_example_runs(work, example):
    program, *arguments = shlex.split(example.partition(" > ")[0].replace("*.json", "paddle.json"))
    if arguments[0] in ("init", "sync", "config", "validate", "waive"):
        work.git("clean", "-fdq", "-e", "*.onnx", "-e", "*.sqlite")
        work.git("rm", "-rqf", "--ignore-unmatch", "specs", "opspec-lint.yaml")
        if arguments[0] != "init":
            work.write({"opspec-lint.yaml": SOURCES, "specs/paddle.json": spec("abs")})
            work.git("add", "opspec-lint.yaml", "specs")
        if "--canonical" in arguments:
            work.opspec("sync", "--fix")
    ran = work.opspec(*arguments)
    assert program == "opspec-lint"
    assert ran.returncode == CODES.get(example, 0), ran.stderr


def test_what_runs_elsewhere_is_an_example():
    assert set(ELSEWHERE) <= set(EXAMPLES)

"""`--library`: the ops of a library, added to the releases that `audit` and `check` read."""

from __future__ import annotations

import json

import pytest

from tests.support.models.tensorflow_models import FLOAT, graph, node, placeholder, write
from tests.support.paths import SPECS
from tests.support.programs import run

RELEASE = SPECS / "tensorflow-1.15.0.json"
RESAMPLER = (
    'op { name: "Resampler" input_arg { name: "data" type: DT_FLOAT } output_arg { name: "y" type: DT_FLOAT } }\n'
)
STRICTER = RESAMPLER.replace("DT_FLOAT } }", "DT_INT32 } }")
MATMUL = 'op { name: "MatMul" }\n'


@pytest.fixture
def library(tmp_path):
    path = tmp_path / "contrib.pbtxt"
    path.write_text(RESAMPLER + MATMUL)
    return str(path)


@pytest.fixture
def model(tmp_path):
    nodes = placeholder(), node("y", "Resampler", "x"), node("z", "MatMul", "y", "y", T=FLOAT)
    return write(tmp_path / "net.pb", graph(*nodes, producer=134))


@pytest.mark.parametrize("more", [("--against", RELEASE), ("--against", "tensorflow@1.15.0")])
def test_a_model_loads_with_the_ops_of_a_library(model, library, more):
    ran = run("audit", model, *more, "--library", library, "--format", "json")
    (audit,) = json.loads(ran.out)["audits"]
    assert (ran.code, audit["verdict"], audit["findings"]) == (0, "loads", []), ran.err


def test_the_library_is_loaded_into_all_included_releases(model, library):
    ran = run("audit", model, "--library", library, "--format", "json")
    assert {audit["verdict"] for audit in json.loads(ran.out)["audits"]} == {"loads"}


def test_an_audit_of_many_models(model, library, tmp_path):
    results = tmp_path / "results.sqlite"
    command = "--against", "tensorflow@1.15.0", "--results", results, "--jobs", "1", "--format", "json"
    ran = run("audit", model, *command, "--library", library)
    assert [audit["verdict"] for audit in json.loads(ran.out)["audits"]] == ["loads"], ran.err
    with_another = tmp_path / "other.pbtxt"
    with_another.write_text(RESAMPLER.replace("Resampler", "Warp"))
    ran = run("audit", model, *command, "--library", with_another)
    assert [audit["verdict"] for audit in json.loads(ran.out)["audits"]] != ["loads"], ran.err


def test_a_library_is_loaded_into_both_ends_of_a_comparison(library, tmp_path):
    base = tmp_path / "base.pbtxt"
    base.write_text(RESAMPLER)
    head = tmp_path / "head.pbtxt"
    head.write_text(MATMUL)
    assert "op_removed" in (without := run("check", base, head)).out
    assert (without.code, run("check", base, head, "--library", library).code) == (1, 0)


def test_the_release_replaces_a_declaration_of_a_library(library, tmp_path):
    base, head = tmp_path / "base.pbtxt", tmp_path / "head.pbtxt"
    base.write_text(RESAMPLER)
    head.write_text(STRICTER)
    assert run("check", base, head, "--library", library).code == 1


def test_a_library_of_another_framework(model):
    paddle = SPECS / "paddle-3.0.0.json"
    ran = run("audit", model, "--against", RELEASE, "--library", paddle)
    assert ran.code == 2
    assert f"--library {paddle} has ops of paddle, and no spec of paddle is given" in ran.err


def test_a_repository_has_no_library(library):
    ran = run("check", "--library", library)
    assert ran.code == 2
    assert "--library needs BASE and HEAD" in ran.err

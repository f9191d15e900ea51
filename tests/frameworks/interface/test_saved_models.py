"""Interfaces of saved models that a real TensorFlow made: hazards of retracing, and what `check` takes for a model."""

from __future__ import annotations

import json

import pytest

from tests.support import paths
from tests.support.programs import run
from tests.support.repositories import Repository

MODELS = paths.DATA / "interfaces"
HAZARDS = {
    "argument_is_object": {"argument_is_object", "trace_static"},
    "function_untraced": {"function_untraced"},
    "retraced_per_dtype": {"retraced_per_dtype"},
    "retraced_per_rank": {"retraced_per_shape"},
    "retraced_per_shape": {"retraced_per_shape"},
    "retraced_per_value": {"retraced_per_value", "trace_static"},
    "string_argument": {"string_argument", "trace_static"},
    "trace_static": {"trace_static"},
    "value_untraced": {"value_untraced", "trace_static"},
    "silent": set(),
    "silent_values": set(),
}


def test_there_is_a_model_for_every_hazard():
    assert {path.name for path in MODELS.iterdir()} == {
        *HAZARDS,
        "batch_open",
        "batch_fixed",
        "default_three",
        "default_five",
    }


@pytest.mark.parametrize("name", HAZARDS)
def test_a_model_shows_its_hazards(name):
    ran = run("audit", str(MODELS / name), "--profile", "retracing", "--format", "json")
    assert ran.code == 0
    assert {finding["rule"] for finding in json.loads(ran.out)["findings"]} == HAZARDS[name]


@pytest.mark.parametrize("name", ["retraced_per_value", "retraced_per_shape", "trace_static"])
def test_of_two_models_those_that_are_new_are_named(name):
    before, after = str(MODELS / "silent"), str(MODELS / name)
    ran = run("check", before, after, "--profile", "retracing", "--format", "json")
    assert {finding["rule"] for finding in json.loads(ran.out)["findings"]} - {"trace_count_changed"} == HAZARDS[name]
    assert json.loads(run("check", after, after, "--profile", "retracing", "--format", "json").out)["findings"] == []


def test_the_number_of_traces_that_a_change_adds_is_reported():
    ran = run("check", str(MODELS / "silent"), str(MODELS / "retraced_per_value"), "--profile", "retracing")
    assert "the number of traces of 'f()' changed from 1 to 3" in ran.out


def test_a_fixed_batch_breaks_functions_and_sessions():
    ran = run("check", str(MODELS / "batch_open"), str(MODELS / "batch_fixed"), "--format", "json")
    report = json.loads(ran.out)
    assert ran.code == 1
    assert report["comparisons"][0]["profile"] == "serving"
    result = {
        (finding["op"], finding["rule"], *finding["callers"])
        for finding in report["findings"]
        if finding["level"] == "error"
    }
    assert result == {
        ("f()", "shape_narrowed", "function"),
        ("serving_default", "shape_narrowed", "session"),
    }
    (first,) = [finding for finding in report["findings"] if finding["op"] == "serving_default" and finding["callers"]]
    assert first["before"] == 'serving_default(x: float32[None, 4]) -> {"y": float32[None, 1]}'
    assert first["after"] == 'serving_default(x: float32[2, 4]) -> {"y": float32[2, 1]}'


def test_a_spec_represents_the_model_that_it_was_extracted_from(tmp_path):
    spec = tmp_path / "model.json"
    assert run("extract", str(MODELS / "batch_open"), "--output", str(spec)).code == 0
    assert run("validate", "--canonical", str(spec)).code == 0
    assert run("check", str(spec), str(MODELS / "batch_open")).code == 0
    ran = run("check", str(spec), str(MODELS / "batch_fixed"))
    assert ran.code == 1
    assert "shape_narrowed" in ran.out


def test_a_model_at_a_revision(tmp_path, monkeypatch):
    data = [(MODELS / name / "saved_model.pb").read_bytes() for name in ("batch_open", "batch_fixed")]
    repository = Repository.make(tmp_path / "top", {"README": "x"})
    (repository.top / "export").mkdir()
    for item in data:
        (repository.top / "export" / "saved_model.pb").write_bytes(item)
        repository.git("add", ".")
        repository.git("commit", "-qm", "export")
    monkeypatch.chdir(repository.top)
    assert run("check", "HEAD:export", "export").code == 0
    assert run("check", "HEAD~1:export", "HEAD:export/saved_model.pb").code == 1


def test_a_model_and_a_spec_of_ops_do_not_compare():
    model, ops = str(MODELS / "silent"), str(paths.SPECS / "tensorflow-2.12.1.json")
    for sides in ((model, ops), (ops, model)):
        ran = run("check", *sides)
        assert ran.code == 2
        assert f"opspec-lint audit {model} --against {ops}" in ran.err
    ran = run("audit", ops, "--profile", "retracing")
    assert ran.code == 2


UNREADABLE = {
    "a pointer of git-lfs": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n",
    "cut off": (MODELS / "silent" / "saved_model.pb").read_bytes()[:1000],
    "garbage": b"\0\xff" * 50,
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_model_that_cannot_be_read_is_an_error(name, tmp_path):
    (tmp_path / "saved_model.pb").write_bytes(UNREADABLE[name])
    for sides in ((tmp_path, MODELS / "silent"), (MODELS / "silent", tmp_path)):
        ran = run("check", *map(str, sides))
        assert (ran.code, ran.out) == (3, "")
        assert "saved_model.pb" in ran.err
        assert "Traceback" not in ran.err
    assert run("audit", str(tmp_path), "--profile", "retracing").code == 3


def test_a_head_without_anything_to_call_loses_all(tmp_path):
    spec = tmp_path / "empty.json"
    spec.write_text(
        '{"opspec": 1, "provenance": {"framework": "interface"}, "binding": "interface", "knows": {}, "ops": {}}'
    )
    ran = run("check", str(MODELS / "silent"), str(spec), "--format", "json")
    assert {finding["rule"] for finding in json.loads(ran.out)["findings"]} == {
        "callable_removed",
        "source_kind_changed",
    }


def test_a_profile_leaves_no_room_for_a_loader():
    ran = run("audit", str(MODELS / "silent"), "--profile", "retracing", "--tags", "serve")
    assert ran.code == 2
    assert "--tags" in ran.err


@pytest.mark.parametrize("text", ["float32[", "float32[x]", "", "int32[] int32[]", "{1: int32[]}"])
def test_a_type_in_a_spec_that_is_none_is_named_with_its_place(text, tmp_path):
    spec = tmp_path / "model.json"
    run("extract", str(MODELS / "batch_open"), "--output", str(spec))
    document = json.loads(spec.read_text())
    document["ops"]["serving_default"]["inputs"][0]["type"] = text
    spec.write_text(json.dumps(document))
    ran = run("check", str(MODELS / "batch_open"), str(spec))
    assert ran.code == 3
    assert f"{spec}: ops.serving_default.inputs[0].type: is no type" in ran.err


def test_a_program_of_pir_is_json_and_a_model(tmp_path):
    program = tmp_path / "model.json"
    program.write_text(
        json.dumps({"program": {"regions": [{"#": "r", "blocks": [{"#": "b", "args": [], "ops": []}]}]}})
    )
    ran = run("check", str(MODELS / "silent"), str(program), "--format", "json")
    assert {finding["rule"] for finding in json.loads(ran.out)["findings"]} == {
        "callable_removed",
        "source_kind_changed",
    }


FORMATS = ("text", "json", "jsonl", "markdown", "html", "sarif", "github", "gitlab", "azure", "rdjson", "junit")


@pytest.mark.parametrize("name", FORMATS)
def test_every_report_shows_the_signature_before_and_after(name):
    import html
    import urllib.parse

    ran = run("check", str(MODELS / "batch_open"), str(MODELS / "batch_fixed"), "--format", name)
    output = html.unescape(urllib.parse.unquote(ran.out)).replace("\\", "")
    assert "serving_default(x: float32[None, 4])" in output
    assert "serving_default(x: float32[2, 4])" in output


def test_a_saved_model_that_is_called_something_else_is_one(tmp_path):
    for name in ("batch_open", "batch_fixed"):
        (tmp_path / f"{name}.pb").write_bytes((MODELS / name / "saved_model.pb").read_bytes())
    ran = run("check", str(tmp_path / "batch_open.pb"), str(tmp_path / "batch_fixed.pb"))
    assert ran.code == 1
    assert "shape_narrowed" in ran.out


def test_the_default_value_of_an_input_is_read_shown_and_compared():
    three, five = str(MODELS / "default_three"), str(MODELS / "default_five")
    (shown,) = json.loads(run("show", three, "--format", "json").out)["models"]
    assert shown["meta_graphs"][0]["signature_def"]["serving_default"]["defaults"] == {"scale": "3.0"}
    assert "in  scale: float32 [] = 3.0" in run("show", three).out
    extracted = json.loads(run("extract", three).out)
    assert {
        argument["name"]: argument.get("default") for argument in extracted["ops"]["serving_default"]["inputs"]
    } == {
        "scale": "3.0",
        "x": None,
    }
    ran = run("check", three, five, "--format", "json")
    result = {(finding["op"], finding["rule"], *finding["callers"]) for finding in json.loads(ran.out)["findings"]}
    assert result == {
        ("serving_default", "parameter_default_changed", "session"),
        ("f()", "parameter_default_changed", "function"),
    }
    assert "before: serving_default(scale: float32[] = 3.0, x: float32[None, 4])" in run("check", three, five).out

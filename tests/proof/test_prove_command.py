"""`opspec-lint prove`: two releases of a runtime that is made up, a store, and what the reports say of proofs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import validate

from opspec_lint.documents.schema import load as schema_named
from tests.proof.fake_runtimes import interpreter
from tests.support import signals
from tests.support.patience import PATIENCE, until
from tests.support.programs import run

ADD, MUL, SUB = 0, 18, 41


def spec(path, version, **ops):
    document = {
        "opspec": 1,
        "provenance": {"framework": "tflite", "version": version},
        "binding": "op_version",
        "knows": {"ops": ["max_version", "min_version"]},
        "ops": {name: {"min_version": 1, "max_version": most} for name, most in sorted(ops.items())},
    }
    path.write_text(json.dumps(document))
    return str(path)


@pytest.fixture
def pair(tmp_path):
    """Base takes ADD up to 3, MUL and SUB; head ADD up to 2 and SUB up to 2."""
    return (
        spec(tmp_path / "base.json", "1.0.0", ADD=3, MUL=1, SUB=1),
        spec(tmp_path / "head.json", "2.0.0", ADD=2, SUB=2),
    )


def pythons(folder, head=None, deadly=None):
    """Return the options that name both runtimes; head's takes what its spec says unless told otherwise."""
    base = interpreter(folder, "1.0.0", {ADD: 3, MUL: 1, SUB: 1})
    own = interpreter(folder, "2.0.0", {ADD: 2, SUB: 2} if head is None else head, deadly)
    return "--base-python", base, "--head-python", own


def proofs(*arguments):
    """Return the JSON of a run, and its proofs by rule and direction."""
    ran = run("prove", *arguments, "--format", "json")
    assert ran.err == ""
    document = json.loads(ran.out)
    validate(document, schema_named("proof"))
    return ran.code, {(proof["rule"], proof["direction"]): proof for proof in document["proofs"]}, document


def test_what_loaders_do_confirms_every_finding(pair, tmp_path):
    code, result, document = proofs(*pair, *pythons(tmp_path))
    assert {key: row["verdict"] for key, row in result.items()} == {
        ("max_version_lowered", "backward"): "confirmed",
        ("max_version_raised", "forward"): "confirmed",
        ("op_removed", "backward"): "confirmed",
    }
    lowered = result["max_version_lowered", "backward"]
    assert (lowered["saved_by"], lowered["loaded_by"], lowered["how"]) == ("1.0.0", "2.0.0", "refused")
    assert "2.0.0 refuses it: ValueError: Didn't find op for builtin opcode '0' version '3'" in lowered["reason"]
    assert result["max_version_raised", "forward"]["loaded_by"] == "1.0.0"
    assert document["summary"] == {"confirmed": 3, "refuted": 0, "not_provable": 0, "not_tried": 0}
    assert code == 1


def test_a_loader_that_takes_the_models_refutes_the_findings(pair, tmp_path):
    code, result, _ = proofs(*pair, *pythons(tmp_path, {ADD: 3, MUL: 1, SUB: 2}))
    assert result["max_version_lowered", "backward"]["verdict"] == "refuted"
    assert result["op_removed", "backward"]["verdict"] == "refuted"
    assert code == 0


def test_a_loader_that_crashes_is_a_break(pair, tmp_path):
    _, result, _ = proofs(*pair, *pythons(tmp_path, {ADD: 3, MUL: 1, SUB: 2}, (ADD, 3)))
    lowered = result["max_version_lowered", "backward"]
    assert (lowered["verdict"], lowered["how"]) == ("confirmed", "crashed")
    assert "2.0.0 crashes: killed by SIGABRT" in lowered["reason"]


def test_without_interpreters_the_models_are_written_and_nothing_is_reported_of_them(pair, tmp_path):
    folder = tmp_path / "models"
    code, result, _ = proofs(*pair, "--output", folder)
    assert {value["verdict"] for value in result.values()} == {"not_tried"}
    files = sorted(path.name for path in folder.iterdir())
    assert {name.partition("-")[0] for name in files} == {"ADD", "MUL", "SUB"}
    assert result["op_removed", "backward"]["model"] == str(folder / next(file for file in files if file[:3] == "MUL"))
    assert code == 1
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    proofs(*pair, "--output", folder)
    assert before == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_text_counts_by_rule_and_names_the_models(pair, tmp_path):
    ran = run("prove", *pair, *pythons(tmp_path), "--output", tmp_path / "models")
    assert "op_removed           backward             1             .             .             ." in ran.out
    assert "confirmed: MUL [op_removed, backward]\n    2.0.0 refuses it: ValueError" in ran.out
    assert "3 proofs: 3 confirmed\n" in ran.out


def test_two_specs_that_are_the_same_have_nothing_to_prove(pair):
    ran = run("prove", pair[0], pair[0])
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "no findings, so nothing to prove")


def test_an_interpreter_with_another_release_is_refused(pair, tmp_path):
    _, base, _, head = pythons(tmp_path)
    ran = run("prove", *pair, "--base-python", head, "--head-python", base)
    assert ran.code == 2
    assert f"{head} has TFLite runtime 2.0.0, and {pair[0]} is the spec of 1.0.0" in ran.err


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (
            ("--loader", "import_graph_def"),
            2,
            "import_graph_def loads models of tensorflow, and the specs are of tflite",
        ),
        (("--base-python", "python"), 2, "--base-python needs --head-python"),
        (("--seconds", "soon"), 2, "--seconds 'soon' is not a number above 0"),
        (("--seconds", "soon", "--base-python", "python"), 2, "--seconds 'soon' is not a number above 0"),
        (("--base-python", "/nowhere/python", "--head-python", "python"), 3, "/nowhere/python: cannot be run"),
    ],
)
def test_what_cannot_be_queried_is_an_error(pair, options, code, message):
    ran = run("prove", *pair, *options)
    assert ran.code == code
    assert message in ran.err


def test_a_framework_without_a_loader_is_an_error(tmp_path):
    path = tmp_path / "spec.fbs"
    path.write_text("table T { a: int; }")
    ran = run("prove", path, path)
    assert ran.code == 2
    assert "no model of flatbuffers can be written yet, so nothing can be proved" in ran.err


# Programs of Paddle that head translates to PIR


def translated(*arguments):
    return run("prove", "paddle@2.6.2", "paddle-pir@3.3.1", *arguments, "--op", "top_k", "--format", "json")


def test_programs_are_translated_by_default_where_head_is_of_pir():
    document = json.loads(translated().out)
    assert (document["loader"], document["profile"]) == ("pir_translation", "paddle-translation")
    assert json.loads(translated("--loader", "pir_translation").out) == document


def test_a_loader_that_does_not_translate_proves_nothing_of_a_translation():
    ran = translated("--loader", "legacy_executor")
    assert ran.code == 2
    assert "legacy_executor needs specs of paddle, and head is a spec of paddle-pir" in ran.err
    assert "name one of: pir_translation" in ran.err


def test_stored_programs_are_translated_by_default_where_head_is_of_pir(tmp_path):
    run("prove", "paddle@2.6.2", "paddle-pir@3.3.1", "--op", "top_k", "--store", tmp_path)
    document = json.loads(run("prove", "--store", tmp_path, "paddle-pir@3.3.1", "--format", "json").out)
    assert document["loader"] == "pir_translation"
    assert document["summary"]["models"] > 1000
    assert run("prove", "--store", tmp_path, "tflite@2.12.1").code == 3


# A store


def stored(tmp_path, pair, *options):
    store = tmp_path / "store"
    ran = run("prove", *pair, "--store", store, *options)
    assert ran.err == ""
    return store


def test_a_store_keeps_a_model_of_every_op_that_its_release_takes(pair, tmp_path):
    store = stored(tmp_path, pair, *pythons(tmp_path))
    index = json.loads((store / "tflite-1.0.0" / "index.json").read_text())
    validate(index, schema_named("store"))
    assert [model["op"] for model in index["models"]] == ["ADD", "MUL", "SUB"]
    assert {model["file"] for model in index["models"]} | {"index.json"} == {
        path.name for path in (store / "tflite-1.0.0").iterdir()
    }


def test_a_later_release_is_tried_on_a_store(pair, tmp_path):
    options = pythons(tmp_path)
    store = stored(tmp_path, pair, *options)
    ran = run("prove", "--store", store, pair[1], *options[2:], "--format", "json")
    document = json.loads(ran.out)
    validate(document, schema_named("stored"))
    assert {model["op"]: model["verdict"] for model in document["models"]} == {
        "ADD": "refused",
        "MUL": "refused",
        "SUB": "loads",
    }
    assert (document["tried"], document["summary"], ran.code) == (True, {"models": 3, "taken": 1}, 1)


def test_without_an_interpreter_the_spec_decides_on_a_store(pair, tmp_path):
    store = stored(tmp_path, pair)
    ran = run("prove", "--store", store, pair[1])
    assert "refused: MUL, saved by 1.0.0" in ran.out
    reasons = [line for line in ran.out.splitlines() if line.startswith("    ")]
    assert len(reasons) == 2
    assert all(reason.strip() for reason in reasons)
    assert f"1 of 3 stored models load by {pair[1]}, which was not run" in ran.out
    assert ran.code == 1
    again = run("prove", "--store", store, pair[0])
    assert (again.code, again.out.splitlines()[-1]) == (
        0,
        f"3 of 3 stored models load by {pair[0]}, which was not run",
    )


def _broken(store, change):
    index = store / "tflite-1.0.0" / "index.json"
    document = json.loads(index.read_text())
    change(document, index.parent)
    index.write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda document, folder: (folder / document["models"][0]["file"]).write_bytes(b"x"), "is not the model that"),
        (lambda document, folder: (folder / document["models"][0]["file"]).unlink(), "cannot be read: No such file"),
        (lambda document, _: document["models"][0].update(file="../../secret"), "models[0].file"),
        (lambda document, _: document.pop("models"), "models"),
        (lambda document, _: document.update(framework="paddle"), "has no models of tflite"),
    ],
)
def test_a_store_that_is_not_what_its_index_states_is_an_error(pair, tmp_path, change, message):
    store = stored(tmp_path, pair)
    _broken(store, change)
    ran = run("prove", "--store", store, pair[1])
    assert ran.code == 3
    assert message in ran.err


def test_a_head_alone_needs_a_store(pair, tmp_path):
    assert "HEAD is missing" in run("prove", pair[0]).err
    ran = run("prove", "--store", tmp_path, pair[0], "--base-python", "python")
    assert (ran.code, "--base-python needs BASE and HEAD" in ran.err) == (2, True)
    assert run("prove", "--store", tmp_path / "nowhere", pair[0]).code == 3


def test_a_spec_without_a_release_is_not_stored(pair, tmp_path):
    path = tmp_path / "tree.json"
    path.write_text((tmp_path / "base.json").read_text().replace('"version": "1.0.0"', '"commit": "abc"'))
    ran = run("prove", path, pair[1], "--store", tmp_path / "store")
    assert ran.code == 2
    assert "does not state its release, so its models cannot be stored" in ran.err


# The reports of `check`


def proven(tmp_path, pair):
    path = tmp_path / "proofs.json"
    path.write_text(run("prove", *pair, *pythons(tmp_path), "--format", "json").out)
    return str(path)


@pytest.mark.parametrize("format_", ["text", "markdown", "html"])
def test_reports_state_whose_loader_confirms_a_finding(pair, tmp_path, format_):
    text = " ".join(run("check", *pair, "--proofs", proven(tmp_path, pair), "--format", format_).out.split())
    assert "confirmed by the loader of 2.0.0" in text
    assert "confirmed by the loader" not in run("check", *pair, "--format", format_).out


def test_the_json_report_holds_the_proofs(pair, tmp_path):
    ran = run("check", *pair, "--proofs", proven(tmp_path, pair), "--format", "json")
    document = json.loads(ran.out)
    validate(document, schema_named("report"))
    removed = next(finding for finding in document["findings"] if finding["rule"] == "op_removed")
    assert [(proof["verdict"], proof["direction"], proof["loaded_by"]) for proof in removed["proofs"]] == [
        ("confirmed", "backward", "2.0.0")
    ]


def test_proofs_of_different_releases_state_nothing(pair, tmp_path):
    proofs_ = proven(tmp_path, pair)
    another = spec(tmp_path / "other.json", "3.0.0", ADD=2, SUB=2)
    assert "confirmed" not in run("check", pair[0], another, "--proofs", proofs_).out


def test_proofs_that_are_none_are_an_error(pair):
    ran = run("check", *pair, "--proofs", pair[0])
    assert ran.code == 3
    assert pair[0] in ran.err


# Limits


def test_an_import_that_hangs_is_reported_after_the_seconds_that_were_allowed(pair, tmp_path, monkeypatch):
    monkeypatch.setattr("opspec_lint.proof.trial._SLACK", 0)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "import time; time.sleep(600)"\n')
    python.chmod(0o755)
    ran = run("prove", *pair, "--base-python", python, "--head-python", python, "--seconds", "1")
    assert ran.code == 3
    assert f"{python}: did not import TFLite runtime in 1 s" in ran.err


def test_a_signal_ends_the_loader_and_sweeps_its_folder(pair, tmp_path):
    temporary, file = tmp_path / "tmp", tmp_path / "child"
    temporary.mkdir()
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho $$ > "{file}"\nsleep 600\n')
    python.chmod(0o755)
    texts = ("prove", *pair, "--base-python", python, "--head-python", python)
    command = [sys.executable, "-m", "opspec_lint", *map(str, texts)]
    with (
        signals.in_the_foreground(),
        subprocess.Popen(command, env={**os.environ, "TMPDIR": str(temporary)}) as process,
    ):
        until(lambda: file.exists() and file.read_text().strip())
        process.terminate()
        assert process.wait(PATIENCE) == 143
    assert list(temporary.iterdir()) == []
    stat = Path(f"/proc/{file.read_text().strip()}/stat")
    # On a busy machine a process that is killed runs on for a moment.
    until(lambda: not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.parametrize("version", ["../../../outside", "/outside", "..", "a/b", "a\nb", "x" * 300, "\ud800"])
def test_a_release_is_no_path(pair, tmp_path, version):
    base = spec(tmp_path / "odd.json", version, ADD=3)
    store = tmp_path / "a" / "b" / "store"
    store.parent.mkdir(parents=True)
    before = sorted(os.listdir(tmp_path))
    assert run("prove", base, pair[1], "--store", store).code in (0, 1)
    (folder,) = store.iterdir()
    assert (sorted(os.listdir(tmp_path)), os.listdir(store.parent)) == (before, ["store"])
    assert folder.name.startswith("tflite-")
    assert (folder / "index.json").is_file()
    assert run("prove", "--store", store, base).code == 0


@pytest.mark.parametrize("place", ["index.json", "", "store"])
def test_nothing_is_written_through_links_of_a_store(pair, tmp_path, place):
    outside, store = tmp_path / "outside", tmp_path / "store"
    outside.mkdir()
    (outside / "index.json").write_text("theirs")
    folder = store / "tflite-1.0.0"
    link, target = {"index.json": (folder / place, outside / place), "store": (store, outside)}.get(
        place, (folder, outside)
    )
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(target)
    ran = run("prove", *pair, "--store", store)
    assert (ran.code, "is a symbolic link" in ran.err) == (3, True)
    assert (os.listdir(outside), (outside / "index.json").read_text()) == (["index.json"], "theirs")

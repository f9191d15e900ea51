"""The public API: what it takes, what it returns, and what it never does."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import opspec_lint
from opspec_lint.api import arguments, results
from opspec_lint.api.values import FrozenMapping
from opspec_lint.documents.schema import load as schema_of
from opspec_lint.kit.errors import InputError, UsageError
from tests.support import paths
from tests.support.models import tflite_models
from tests.support.programs import run
from tests.support.repositories import Repository

MODULES = sorted(set(opspec_lint._MODULES.values()))
PAIR = ("onnxruntime@1.20.1", "onnxruntime@1.23.2")


def properties(document, *path):
    for step in path:
        document = document[step]
    return {*document["properties"]}


def test_names_are_imported_when_they_are_used():
    code = (
        "import sys; before = set(sys.modules); import opspec_lint; dir(opspec_lint)\n"
        "print(sorted(set(sys.modules) - before)); opspec_lint.check; print('opspec_lint.api.functions' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=paths.TOP)
    assert ran.stdout == "['opspec_lint']\nTrue\n"


def test_all_public_names_are_listed():
    assert sorted(opspec_lint._MODULES) == opspec_lint.__all__
    types = (paths.TOP / "opspec_lint" / "__init__.pyi").read_text(encoding="utf-8")
    for name, module in opspec_lint._MODULES.items():
        assert f"from opspec_lint.{module} import {name} as {name}\n" in types
    assert {*opspec_lint.__all__} <= {*dir(opspec_lint)}
    with pytest.raises(AttributeError, match="has no attribute 'checks'"):
        opspec_lint.checks  # noqa: B018


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_the_docstrings(module):
    assert doctest.testmod(importlib.import_module(f"opspec_lint.{module}")).failed == 0


@pytest.mark.parametrize(
    ("view", "schema", "path"),
    [
        (results.Report, "report", ()),
        (results.Summary, "report", ("properties", "summary")),
        (results.Release, "report", ("properties", "release")),
        (results.Finding, "report", ("$defs", "finding")),
        (results.Comparison, "report", ("$defs", "comparison")),
        (results.LevelCounts, "report", ("$defs", "comparison", "properties", "summary")),
        (results.Side, "report", ("$defs", "side")),
        (results.Fix, "report", ("$defs", "fix")),
        (results.Edit, "report", ("$defs", "edit")),
        (results.Position, "report", ("$defs", "position")),
        (results.Origin, "report", ("$defs", "origin")),
        (results.Waiver, "report", ("$defs", "finding", "properties", "waived")),
        (results.Approval, "report", ("$defs", "finding", "properties", "approval")),
        (results.Proof, "report", ("$defs", "finding", "properties", "proofs", "items")),
        (results.Since, "report", ("$defs", "finding", "properties", "since")),
        (results.Usage, "report", ("$defs", "finding", "properties", "usage")),
        (results.Audit, "audit", ()),
        (results.AnswerCounts, "audit", ("properties", "counts")),
        (results.ModelVerdict, "audit", ("$defs", "audit")),
        (results.ModelFinding, "audit", ("$defs", "finding")),
        (results.Reach, "audit", ("$defs", "reach")),
        (results.Refusal, "audit", ("$defs", "reach", "properties", "refusals", "items")),
        (results.Doubt, "audit", ("$defs", "reach", "properties", "unknown", "items")),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_views_have_the_fields_of_the_json_formats(view, schema, path):
    assert {*view._fields} == properties(schema_of(schema), *path)


def test_results_never_change():
    report = opspec_lint.check(*PAIR)
    with pytest.raises(AttributeError):
        report.findings = ()
    with pytest.raises(AttributeError):
        report.findings[0].level = "note"
    changed = next(finding for finding in report.findings if isinstance(finding.old, FrozenMapping | tuple))
    with pytest.raises(TypeError):
        changed.old[0] = None
    report.to_dict()["findings"].clear()
    assert report.to_dict()["findings"]


def test_a_spec_has_what_its_source_states():
    spec = opspec_lint.load("paddle@3.0.0")
    op = spec.ops["trace"]
    (axis,) = [attr for attr in op.attrs if attr.name == "axis1"]
    assert axis.fields["default_value"] == 0
    assert [item.name for item in op.inputs] == ["Input"]
    assert "dispensable" not in opspec_lint.load("tensorflow@2.15.1").ops["MatMul"].inputs[0].fields  # unknown
    assert json.loads(spec.text)["provenance"]["version"] == "3.0.0"


def test_results_can_be_pickled(tmp_path):
    model = tmp_path / "m.tflite"
    model.write_bytes(tflite_models.whole())
    spec, report, audit = (
        opspec_lint.load(PAIR[0]),
        opspec_lint.check(*PAIR),
        opspec_lint.audit(model, "tflite@2.12.1"),
    )
    copies = pickle.loads(pickle.dumps((spec, report, audit)))  # noqa: S301 - made here
    assert copies == (spec, report, audit)
    assert copies[0].text == spec.text
    for name in ("text", "sarif", "json"):
        assert [opspec_lint.render(copy, name) for copy in copies[1:]] == [
            opspec_lint.render(result, name) for result in (report, audit)
        ]


def test_calls_ignore_the_working_directory_and_the_environment(tmp_path, monkeypatch):
    (tmp_path / "base.json").write_text(opspec_lint.load(PAIR[0]).text, encoding="utf-8")
    expected = opspec_lint.check("base.json", PAIR[1], base_dir=tmp_path).to_dict()
    monkeypatch.chdir("/")
    for name in list(os.environ):
        monkeypatch.delenv(name)
    assert opspec_lint.check("base.json", PAIR[1], base_dir=tmp_path).to_dict() == expected


@pytest.mark.parametrize("reference", ["base.json", "specs/base.json", "paddle-source:", "paddle-pir-wheel:a.whl"])
def test_a_relative_path_needs_a_folder(reference, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(opspec_lint.UsageError, match="is a relative path") as caught:
        opspec_lint.load(reference)
    assert "base_dir" in caught.value.advice


def test_standard_input_is_no_spec():
    with pytest.raises(opspec_lint.UsageError, match="standard input"):
        opspec_lint.load("-")


def test_a_file_at_a_revision_is_of_the_repository_around_the_folder(tmp_path, monkeypatch):
    repository = Repository.make(tmp_path / "repository", {"base.json": opspec_lint.load(PAIR[0]).text})
    monkeypatch.chdir("/")
    assert opspec_lint.load("HEAD:base.json", base_dir=repository.top).text == opspec_lint.load(PAIR[0]).text


def test_an_error_has_its_file_its_place_and_advice(tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text(
        '{"opspec": 1, "provenance": {"framework": "paddle"}, "knows": {}, "ops": {"a": {"inputs": 1}}}', "utf-8"
    )
    with pytest.raises(opspec_lint.InputError) as caught:
        opspec_lint.load(broken)
    assert (caught.value.file, caught.value.place) == (str(broken), "ops.a.inputs")
    assert caught.value.problem in str(caught.value)
    with pytest.raises(opspec_lint.InputError, match="no released spec") as caught:
        opspec_lint.load("paddle@0.1")
    assert caught.value.advice.startswith("the nearest is")


def test_a_wrong_file_of_waivers_is_named(tmp_path):
    waivers = tmp_path / "waivers.yaml"
    waivers.write_text("version: 1\nwaivers:\n- rule: op_removed\n", encoding="utf-8")
    with pytest.raises(opspec_lint.UsageError) as caught:
        opspec_lint.check(*PAIR, waivers=waivers)
    assert (caught.value.file, caught.value.place) == (str(waivers), "line 3")


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: opspec_lint.check(*PAIR, profile="onnxruntimes"), "profile"),
        (lambda: opspec_lint.check(*PAIR, ops=["Nothing"]), "op"),
        (lambda: opspec_lint.audit("/m.tflite", loader="nothing"), "loader"),
        (lambda: opspec_lint.audit("/m.tflite", unknown="maybe"), "way"),
        (lambda: opspec_lint.releases("paddles"), "framework"),
        (lambda: opspec_lint.render(opspec_lint.check(*PAIR), "word"), "format|reporter"),
    ],
    ids=["profile", "op", "loader", "unknown", "framework", "format"],
)
def test_an_unknown_name(call, name):
    with pytest.raises(opspec_lint.UsageError, match=f"unknown ({name})"):
        call()


def test_a_waiver_clears_a_finding_until_its_last_day(tmp_path):
    finding = next(finding for finding in opspec_lint.check(*PAIR).findings if finding.level == "error")
    waivers = tmp_path / "waivers.yaml"
    entry = {"rule": finding.rule, "op": finding.op, "fingerprint": finding.fingerprint}
    entry |= {"reason": "no such models", "owner": "me", "expires": "2026-01-31"}
    waivers.write_text(json.dumps({"version": 1, "waivers": [entry]}), encoding="utf-8")
    before, after = (opspec_lint.check(*PAIR, waivers=waivers, today=day) for day in ("2026-01-31", "2026-02-01"))
    assert before.summary.waived == 1
    assert after.summary.waived == 0
    with pytest.raises(opspec_lint.UsageError, match="is not a day"):
        opspec_lint.check(*PAIR, waivers=waivers, today="soon")


def test_a_wrong_day_is_refused_without_waivers_too(tmp_path):
    (tmp_path / "m.tflite").write_bytes(tflite_models.whole())
    with pytest.raises(UsageError, match="'soon' is not a day"):
        opspec_lint.check(*PAIR, today="soon")
    with pytest.raises(UsageError, match="'soon' is not a day"):
        opspec_lint.audit(tmp_path / "m.tflite", "tflite@2.12.1", today="soon")


def test_tables_for_notebooks_escape_what_comes_from_a_spec(tmp_path):
    texts = [opspec_lint.load("paddle@3.0.0").text.replace('"trace"', '"<script>"'), opspec_lint.load(PAIR[0]).text]
    (tmp_path / "base.json").write_text(texts[0], encoding="utf-8")
    page = opspec_lint.check("base.json", "paddle@3.0.0", ops=["<script>"], base_dir=tmp_path)._repr_html_()
    assert "&lt;script&gt;" in page
    assert "<script>" not in page
    model = tmp_path / "<b>.tflite"
    model.write_bytes(tflite_models.whole())
    assert "&lt;b&gt;" in opspec_lint.audit(model)._repr_html_()


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "m.tflite"
    path.write_bytes(tflite_models.whole())
    return path


def test_all_unreadable_models_are_named(model):
    broken = model.with_name("broken.tflite")
    broken.write_bytes(model.read_bytes()[:64])
    with pytest.raises(opspec_lint.InputError, match="nope") as caught:
        opspec_lint.audit(["nope.tflite", model, broken], base_dir=model.parent)
    assert caught.value.file == str(model.with_name("nope.tflite"))
    assert str(broken) in str(caught.value)
    verdicts = opspec_lint.audit([model, broken], "tflite@2.12.1").audits
    assert [(verdict.model, verdict.verdict == "unreadable") for verdict in verdicts] == [
        (str(model), False),
        (str(broken), True),
    ]


def test_an_audit_that_skips_others_names_unreadable_models(model):
    text = model.with_name("notes.txt")
    text.write_text("no model", encoding="utf-8")
    assert {reach.model for reach in opspec_lint.audit([model, text], skip_others=True).reaches} == {str(model)}


def test_an_uncaught_error_ends_with_the_advice(tmp_path):
    with pytest.raises(opspec_lint.InputError) as caught:
        opspec_lint.load("paddel@3.0.0")
    assert str(caught.value) == "paddel@3.0.0: no released spec has this name; did you mean 'paddle@3.0.0'?"
    assert caught.value.message == "paddel@3.0.0: no released spec has this name"
    with pytest.raises(opspec_lint.UsageError, match=r"is a relative path; pass an absolute path, or base_dir="):
        opspec_lint.load("base.json")
    with pytest.raises(opspec_lint.InputError, match=r"there is no such file or folder; check the path$"):
        opspec_lint.audit("nope.tflite", base_dir=tmp_path)


def test_an_empty_list_of_specs(model):
    with pytest.raises(opspec_lint.UsageError, match="no specs to audit against"):
        opspec_lint.audit(model, [])


def test_a_newest_release_has_its_full_name(model):
    newest = opspec_lint.releases("tflite")[-1]
    for name in ("tflite@latest", opspec_lint.load("tflite@latest"), newest):
        assert {verdict.against for verdict in opspec_lint.audit(model, name).audits} == {newest}
    audit = opspec_lint.audit(model, ["tflite@latest", newest])
    assert len(audit.audits) == 1
    ran = run("audit", model, "--against", "tflite@latest", "--format", "json")
    assert audit.to_dict() == json.loads(ran.out)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: opspec_lint.check(*PAIR, ops="Add"), "ops"),
        (lambda: opspec_lint.check(*PAIR, libraries="/lib.json"), "libraries"),
        (lambda: opspec_lint.audit("/m.tflite", libraries=Path("/lib.json")), "libraries"),
        (lambda: opspec_lint.audit("/m.tflite", tags="serve"), "tags"),
        (lambda: opspec_lint.load(PAIR[0], include="/include"), "include"),
    ],
    ids=["ops", "libraries", "path", "tags", "include"],
)
def test_a_lone_text_is_no_list(call, name):
    with pytest.raises(opspec_lint.UsageError, match=rf"{name} is .*; pass a list: {name}=\["):
        call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: opspec_lint.load(None), "load() argument 'reference' must be str or os.PathLike, not NoneType"),
        (lambda: opspec_lint.load(b"/a.json"), "load() argument 'reference' must be str or os.PathLike, not bytes"),
        (
            lambda: opspec_lint.load(PAIR[0], base_dir=3),
            "load() argument 'base_dir' must be str or os.PathLike, not int",
        ),
        (lambda: opspec_lint.load(PAIR[0], include=None), "'include' must be Iterable or Spec or str or os.PathLike"),
        (lambda: opspec_lint.check(PAIR[0], 3), "check() argument 'head' must be Spec or str or os.PathLike, not int"),
        (lambda: opspec_lint.check(*PAIR, profile=1), "check() argument 'profile' must be str, not int"),
        (lambda: opspec_lint.check(*PAIR, ops=[3]), "an item of 'ops' must be str, not int"),
        (lambda: opspec_lint.audit([b"/a"]), "an item of 'model' must be str or os.PathLike, not bytes"),
        (lambda: opspec_lint.audit("/a", [3]), "an item of 'specs' must be Spec or str or os.PathLike, not int"),
        (lambda: opspec_lint.audit("/a", checksums="yes"), "audit() argument 'checksums' must be bool, not str"),
        (lambda: opspec_lint.audit("/a", unknown=None), "audit() argument 'unknown' must be str, not NoneType"),
        (lambda: opspec_lint.releases(3), "releases() argument 'framework' must be str, not int"),
        (lambda: opspec_lint.render({}, "text"), "render() argument 'result' must be Report or Audit, not dict"),
    ],
)
def test_an_argument_of_a_wrong_type_is_named(call, message):
    with pytest.raises(TypeError, match=re.escape(message)):
        call()


def test_every_parameter_has_its_type_checked():
    names = ("load", "check", "audit", "releases", "render")
    parameters = {name for function in names for name in inspect.signature(getattr(opspec_lint, function)).parameters}
    assert parameters == {*arguments._TYPES}


def test_an_unknown_level_is_refused():
    report = opspec_lint.check(*PAIR, ops=["Add@7"])
    with pytest.raises(opspec_lint.UsageError, match="unknown level 'fatal'"):
        report.has("fatal")
    counts = report.summary
    assert repr(report) == (
        f"Report(findings={len(report.findings)}, error={counts.error}, warning={counts.warning}, note={counts.note})"
    )


def test_all_types_of_the_reference_can_be_imported():
    page = (paths.TOP / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^### `([A-Z]\w+)`$", page, re.MULTILINE))
    assert named <= {*opspec_lint.__all__}
    assert all(isinstance(getattr(opspec_lint, name), type) for name in named)


@pytest.mark.parametrize(
    "error",
    [
        InputError("a.json", "no text", where="ops", advice="write it"),
        UsageError("no such profile", advice="name another", others=(UsageError("and one more"),)),
    ],
)
def test_an_error_of_a_worker_process_arrives_whole(error):
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(copy), str(copy), copy.args, copy.file, copy.place) == (
        type(error),
        str(error),
        error.args,
        error.file,
        error.place,
    )
    assert [str(further) for further in copy.others] == [str(further) for further in error.others]

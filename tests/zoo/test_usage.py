"""The number of known models that use the subject of a change, in every report; it excuses nothing."""

import json
import shutil

import pytest

from opspec_lint.report.reporter import REPORTERS
from tests.support import zoo
from tests.support.paths import SPECS
from tests.support.programs import run

PADDLE = SPECS / "paddle-3.0.0.json"


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """Return a spec of the ops of Paddle that these tests use; all others would only be read again and again."""
    spec = json.loads(PADDLE.read_text())
    named = ("leaky_relu", "relu", "abs")
    spec["ops"] = {op: spec["ops"][op] for op in spec["ops"] if op in named or op.startswith(("c_", "e"))}
    file = tmp_path_factory.mktemp("base") / "base.json"
    file.write_text(json.dumps(spec))
    return file


@pytest.fixture(scope="module")
def usage(tmp_path_factory):
    """Results of four programs, three of which use an op, two with an attr, one with the value that is its default."""
    folder = tmp_path_factory.mktemp("usage") / "zoo"
    zoo.program(folder / "a.pdmodel", "leaky_relu")
    zoo.program(folder / "b.pdmodel", "leaky_relu", alpha=("FLOAT", 0.02))
    zoo.program(folder / "c.pdmodel", "leaky_relu", alpha=("FLOAT", 0.5))
    zoo.program(folder / "d.pdmodel", "relu")
    zoo.onnx(folder / "other.onnx")
    file = folder.parent / "zoo.sqlite"
    ran = run("audit", folder, "--against", PADDLE, "--results", file, "--jobs", "1")
    assert ran.code in (0, 1), ran.err
    return file


@pytest.fixture
def head(tmp_path, base):
    """A spec in which the default of an attr differs, and two ops are gone."""
    spec = json.loads(base.read_text())
    default = next(attr for attr in spec["ops"]["leaky_relu"]["attrs"] if attr["name"] == "alpha")
    default["default_value"] = 0.25
    del spec["ops"]["relu"], spec["ops"]["abs"]
    file = tmp_path / "head.json"
    file.write_text(json.dumps(spec))
    return file


def checked(base, head, usage, form):
    return run("check", base, head, "--usage", usage, "--format", form, "--profile", "strict")


def test_findings_state_how_many_models_use_what_changes(base, head, usage):
    ran = checked(base, head, usage, "json")
    assert ran.code == 1
    usage_by_op = {finding["op"]: finding["usage"] for finding in json.loads(ran.out)["findings"]}
    assert usage_by_op["leaky_relu"]["models"] == 3
    assert usage_by_op["leaky_relu"]["of"] == 4
    assert usage_by_op["leaky_relu"]["with_attr"] == 2
    assert usage_by_op["relu"] == {"models": 1, "of": 4, "with_attr": None, "with_value": None}
    assert usage_by_op["abs"]["models"] == 0


def test_the_ops_that_most_models_use_come_first(base, head, usage):
    findings = json.loads(checked(base, head, usage, "json").out)["findings"]
    assert list(dict.fromkeys(finding["op"] for finding in findings)) == ["leaky_relu", "relu", "abs"]


def test_a_break_that_no_known_model_uses_stays_a_break(base, head, usage):
    without = run("check", base, head, "--format", "json", "--profile", "strict")
    levels = [
        {finding["fingerprint"]: finding["level"] for finding in json.loads(ran.out)["findings"]}
        for ran in (without, checked(base, head, usage, "json"))
    ]
    assert levels[0] == levels[1]
    assert "no known model, of 4" in checked(base, head, usage, "text").out


@pytest.mark.parametrize("form", sorted(set(REPORTERS.of("")) - {"statistics"}))
def test_every_report_has_it(base, head, usage, form):
    text = " ".join(checked(base, head, usage, form).out.split())
    is_data = form in ("json", "jsonl")
    assert '"models": 3' in text if is_data else "3 of 4 models" in text
    assert '"models": 0' in text if is_data else "no known model" in text


def test_ops_that_are_listed_together_have_their_models_in_brackets(base, head, usage):
    spec = json.loads(head.read_text())
    for op in ["leaky_relu", *(name for name in sorted(spec["ops"]) if name.startswith(("c_", "e")))]:
        del spec["ops"][op]
    head.write_text(json.dumps(spec))
    out = checked(base, head, usage, "text").out
    assert "leaky_relu (3), relu (1), abs, c_" in out
    assert "in brackets: how many of 4 known models use the op" in out


def test_results_without_models_of_the_framework_state_nothing(tmp_path, base, head):
    zoo.onnx(tmp_path / "zoo" / "only.onnx")
    file = tmp_path / "zoo.sqlite"
    assert run("audit", tmp_path / "zoo", "--against", "onnx@1.23.2", "--results", file, "--jobs", "1").code == 0
    findings = json.loads(checked(base, head, file, "json").out)["findings"]
    assert {finding["usage"] for finding in findings} == {None}


def test_a_configuration_names_it(tmp_path, base, head, usage):
    config = tmp_path / "opspec-lint.toml"
    shutil.copy(usage, tmp_path / "copy.sqlite")
    config.write_text('usage = "copy.sqlite"\n')
    ran = run("check", base, head, "--config", config)
    assert "used by 3 of 4 models" in ran.out


def test_a_file_without_results_is_an_error(base, head, tmp_path):
    ran = checked(base, head, tmp_path / "none.sqlite", "text")
    assert (ran.code, "there is no such file" in ran.err) == (3, True)

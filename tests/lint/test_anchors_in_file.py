from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from opspec_lint.cli import main
from tests.support.paths import SPECS


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository in which paddle 2.6.2 is committed and 3.0.0 staged, as specs/ops.json."""
    (tmp_path / "specs").mkdir()
    spec = tmp_path / "specs" / "ops.json"
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    spec.write_bytes((SPECS / "paddle-2.6.2.json").read_bytes())
    subprocess.run([*git, "add", "."], cwd=tmp_path, check=True)
    subprocess.run([*git, "commit", "-qm", "base"], cwd=tmp_path, check=True)
    spec.write_bytes((SPECS / "paddle-3.0.0.json").read_bytes())
    subprocess.run([*git, "add", "."], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def results(base, head, folder, *options):
    output = folder / "out.sarif"
    assert main.main(["check", base, head, *options, "--format", f"sarif={output}"]) == 1
    return json.loads(output.read_text())["runs"][0]["results"]


def place(result, key="locations"):
    physical = result[key][0]["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


@pytest.mark.parametrize("head", [":specs/ops.json", "specs/ops.json"])
def test_every_finding_points_to_the_line_that_declares_it(repository, head):
    lines = {
        "base": (SPECS / "paddle-2.6.2.json").read_text().splitlines(),
        "head": (SPECS / "paddle-3.0.0.json").read_text().splitlines(),
    }
    actual = results("HEAD:specs/ops.json", head, repository)
    assert len(actual) == 466
    for result in actual:
        facts = result["properties"]
        file, line = place(result)
        assert file == "specs/ops.json"
        gone = result["ruleId"].endswith(("_removed", "_renamed", "op_version_lost"))
        if facts["kind"] not in ("registration", "op") and not gone:
            assert f'"name": {json.dumps(facts["name"])}' in lines["head"][line - 1]
        if facts["kind"] in ("input", "output", "attr") and gone:
            base_file, base_line = place(result, "relatedLocations")
            assert base_file == "specs/ops.json"
            assert f'"name": {json.dumps(facts["name"])}' in lines["base"][base_line - 1]
        if result["ruleId"] == "op_added":
            assert json.dumps(facts["op"]) in lines["head"][line - 1]


def test_what_is_gone_is_anchored_to_the_line_nearest_to_where_it_stood(repository):
    head = (SPECS / "paddle-3.0.0.json").read_text().splitlines()
    result = results("HEAD:specs/ops.json", ":specs/ops.json", repository)
    (removed,) = (
        result for result in result if result["ruleId"] == "attr_removed" and result["properties"]["op"] == "cast"
    )
    assert head[place(removed)[1] - 1] == '  "cast": {'
    (op,) = (result for result in result if result["ruleId"] == "op_removed" and result["properties"]["op"] == "abs_p")
    following = sorted(name for name in json.loads("\n".join(head))["ops"] if name > "abs_p")[0]
    assert head[place(op)[1] - 1] == f'  "{following}": {{'


def test_paths_are_from_the_top_of_the_repository(repository, monkeypatch):
    monkeypatch.chdir(repository / "specs")
    for head in ("ops.json", str(repository / "specs" / "ops.json"), ":./ops.json", ":specs/ops.json"):
        first = results("HEAD:./ops.json", head, repository, "--op", "cast")[0]
        assert place(first)[0] == place(first, "relatedLocations")[0] == "specs/ops.json"


@pytest.mark.usefixtures("repository")
def test_several_formats_in_a_single_run(capsys):
    arguments = ["check", "HEAD:specs/ops.json", ":specs/ops.json", "--op", "cast"]
    assert main.main([*arguments, "--format", "sarif=a.sarif", "--format", "json=b.json", "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith("::error file=specs/ops.json,line=")
    fingerprint = json.loads(Path("b.json").read_text())["findings"][0]["fingerprint"]
    assert fingerprint in Path("a.sarif").read_text()
    assert main.main([*arguments, "--format", "sarif=c.sarif"]) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("repository")
def test_two_formats_cannot_go_to_a_single_place(capsys):
    arguments = ["check", "HEAD:specs/ops.json", ":specs/ops.json", "--format", "json", "--format", "text"]
    assert main.main(arguments) == 2
    assert "json and text go to the same place" in capsys.readouterr().err

"""log names the findings of check, commit by commit; blame since when what holds holds."""

from __future__ import annotations

import json
import os
import sqlite3
from itertools import pairwise
from pathlib import Path

import pytest

from opspec_lint.documents import schema
from opspec_lint.history import blame, store
from tests.support.histories import DEFAULT, build, of_specs, tree
from tests.support.programs import run
from tests.support.projects import FILE, text
from tests.support.repositories import Repository

VERSIONS = (
    ["f(X) -> (Out) [axis: INT = 1]", "g(X) -> ()"],
    ["f(X) -> (Out) [axis: INT = 2]", "g(X) -> ()"],
    ["f(X, Y) -> (Out) [axis: INT = 2]", "g(X) -> ()"],
    ["f(X, Y) -> (Out) [axis: INT = 1]"],
)


@pytest.fixture
def commits(tmp_path, monkeypatch):
    """The commits of a repository, in which we are, and whose history is `../h`; `v1.0.0` is the second."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    repository, result = of_specs(tmp_path / "top", *VERSIONS)
    repository.git("tag", "v1.0.0-rc0", result[0])
    repository.git("tag", "-a", "-m", "x", "v1.0.0", result[1])
    repository.git("tag", "v1.1.0", result[2])
    monkeypatch.chdir(repository.top)
    build(FILE, "../h")
    return result


def logged(*args):
    ran = run("log", *args, "--format", "json")
    assert ran.code == 0, ran.err
    return valid(ran.out, "log")["commits"]


def valid(text, name):
    """The document of a text, which has to agree with its schema."""
    document = json.loads(text)
    assert schema.faults(document, schema.load(name)) == []
    return document


def identities(findings):
    return {(finding["rule"], finding["op"], finding["name"], finding["fingerprint"]) for finding in findings}


def test_log_has_the_findings_of_check(commits):
    identities_by_commit = {commit["commit"]: identities(commit["findings"]) for commit in logged("../h")}
    assert list(identities_by_commit) == commits[:0:-1]
    for base, head in pairwise(commits):
        ran = run("check", f"{base}:{FILE}", f"{head}:{FILE}", "--format", "json")
        assert identities_by_commit[head] == identities(json.loads(ran.out)["findings"])


def test_what_cannot_be_evaluated_before_and_after_a_commit_is_no_change_of_the_contract(tmp_path):
    made = Repository.make(tmp_path / "top")
    unknown = 'AddInput(name(), "");'
    versions = (
        tree(f=DEFAULT.format(value), g=unknown, h=another) for value, another in ((1, ""), (2, ""), (2, unknown))
    )
    ids = [made.commit(files, "Change") for files in versions]
    ids.append(made.commit({"README.md": "new"}, "Change"))
    build(f"paddle-source:{made.top}", str(tmp_path / "h"))
    result = {commit["commit"]: of_contract(commit["findings"]) for commit in logged(str(tmp_path / "h"))}
    for base, head in pairwise(f"paddle-source:{made.top}@{item}" for item in ids):
        ran = run("check", base, head, "--format", "json")
        assert result.get(head.rpartition("@")[2], set()) == of_contract(json.loads(ran.out)["findings"])
    assert [{name for _, name in result.get(item, ())} for item in ids] == [set(), {"f"}, {"h"}, set()]


def of_contract(findings):
    kinds = ("op", "input", "output", "attr", "registration")
    return {(finding["rule"], finding["op"]) for finding in findings if finding["kind"] in kinds}


def test_log_of_a_source_equals_that_of_its_file(commits):
    assert logged(FILE) == logged("../h")
    assert logged(FILE, f"{commits[1]}..{commits[2]}") == logged("../h", f"{commits[1]}..{commits[2]}")
    assert [commit["commit"] for commit in logged("../h", f"v1.0.0..{commits[2][:8]}")] == [commits[2]]


def test_a_range_of_a_source_may_name_branches(commits):
    """The file of a history knows ids and tags; names that only the repository knows are looked up there."""
    repository = Repository(Path.cwd())
    repository.git("branch", "older", commits[1])
    repository.git("checkout", "-q", "--detach", "older")
    for range_ in (f"{commits[0]}..older", f"{commits[0]}..HEAD", f"older~1..{commits[1]}", "older^..older~0"):
        assert [commit["commit"] for commit in logged(FILE, range_)] == [commits[1]], range_


def test_log_states_which_releases_contain_a_commit(commits):
    result = {commit["commit"]: commit for commit in logged("../h")}
    assert [result[commit]["releases"] for commit in commits[1:]] == [["v1.0.0", "v1.1.0"], ["v1.1.0"], []]
    assert [result[commit]["pull_request"] for commit in commits[1:]] == [1, 2, 3]
    out = run("log", "../h").out
    assert "in 2 releases since v1.0.0" in out
    assert "in no release" in out


@pytest.mark.parametrize(
    ("options", "indices"),
    [
        (("--op", "g"), [3]),
        (("--op", "f", "--arg", "axis"), [3, 1]),
        (("--rule", "op_removed"), [3]),
        (("--level", "error"), [3, 2, 1]),
        (("--op", "?", "--rule", "attr_default_changed"), [3, 1]),
    ],
)
def test_log_shows_what_was_requested(commits, options, indices):
    assert [commits.index(commit["commit"]) for commit in logged("../h", *options)] == indices


@pytest.mark.parametrize("name", ["markdown", "sarif", "html", "github", "junit", "jsonl", "statistics"])
@pytest.mark.usefixtures("commits")
def test_log_has_every_format(name):
    ran = run("log", "../h", "--format", name)
    assert (ran.code, ran.err) == (0, "")
    text = "removed<br>" if name == "html" else "op_removed"  # the page is that of a history
    assert text in ran.out


@pytest.mark.parametrize("texts", [("--op", "h"), ("abc",), ("a...b",), ("..nothing",)])
@pytest.mark.usefixtures("commits")
def test_log_refuses_what_there_is_not(texts):
    ran = run("log", "../h", *texts)
    assert ran.code in (2, 3)
    assert ran.err.count("advice: ") == 1


@pytest.mark.usefixtures("commits")
def test_the_schema_of_a_log_knows_every_key_and_requires_it():
    document = json.loads(run("log", "../h", "--format", "json").out)
    for part in (document, document["commits"][0], document["commits"][0]["findings"][0]):
        for key in list(part):
            value = part.pop(key)
            assert schema.faults(document, schema.load("log")), key
            part[key] = value
    assert schema.faults(document, schema.load("log")) == []


def blamed(*args):
    ran = run("blame", "../h", *args, "--format", "json")
    assert ran.code == 0, ran.err
    return {(field["argument"], field["field"]): field for field in valid(ran.out, "blame")["fields"]}


def test_blame_states_since_when_and_what_was_before(commits):
    result = blamed("f")
    assert result["Y", None]["since"]["commit"] == commits[2]
    assert result["Y", None]["releases"] == ["v1.1.0"]
    assert result["X", None]["is_start"]
    axis = result["axis", "default_value"]
    assert (axis["value"], axis["before"], axis["since"]["commit"]) == (1, 2, commits[3])
    assert axis["back_to"]["commit"] == commits[1]
    earlier = blamed("f", "--at", "v1.0.0")
    assert ("Y", None) not in earlier
    axis = earlier["axis", "default_value"]
    assert (axis["value"], axis["before"], axis["back_to"]) == (2, 1, None)
    out = run("blame", "../h", "f").out
    assert f"default_value 1; before 2, and 1 until {axis['since']['date']}" in out


def test_blame_of_an_op_that_is_gone_states_who_removed_it(commits):
    ran = run("blame", "../h", "g")
    assert ran.code == 3
    assert commits[3][:10] in ran.err
    assert run("blame", "../h", "g", "--at", f"{commits[3]}^").code == 0
    assert run("blame", "../h", "ff").code == 2


@pytest.mark.usefixtures("commits")
def test_blame_reads_only_the_revisions_that_it_names():
    """There are tens of thousands of them, and the answer has to come at once."""
    ran = []
    with store.open_history("../h") as history:
        history._connection.set_trace_callback(ran.append)
        blame.blame(history, "f", history.commit("HEAD"))
    read = [item for item in ran if "FROM revision" in item]
    assert read
    assert all("WHERE number = " in item or "LIMIT 1" in item for item in read)


@pytest.mark.usefixtures("commits")
def test_a_revision_that_is_missing_is_a_single_message():
    with sqlite3.connect("../h") as database:
        database.execute("DELETE FROM revision WHERE number = 2")
    ran = run("blame", "../h", "f")
    assert (ran.code, ran.err.count("advice: ")) == (3, 1)
    assert "has no revision 2" in ran.err


def test_a_field_that_has_its_default_again_is_blamed(tmp_path, monkeypatch):
    repository, commits = of_specs(tmp_path / "top", ["f(X?) -> ()"], ["f(X) -> ()"], ["f(X) -> ()", "g() -> ()"])
    monkeypatch.chdir(repository.top)
    build(FILE, "../h")
    field = blamed("f")["X", "dispensable"]
    assert (field["value"], field["before"], field["since"]["commit"]) == (None, True, commits[1])


def test_blame_looks_at_the_life_of_an_argument(tmp_path, monkeypatch):
    versions = (["f() -> ()"], ["f(X?) -> ()"], ["f(X) -> ()"], ["f() -> ()"], ["f(X) -> ()"])
    repository, commits = of_specs(tmp_path / "top", *versions)
    monkeypatch.chdir(repository.top)
    build(FILE, "../h")
    cleared = blamed("f", "--at", commits[2])["X", "dispensable"]
    assert (cleared["value"], cleared["before"], cleared["back_to"]) == (None, True, None)
    again = blamed("f")
    assert again["X", None]["since"]["commit"] == commits[4]
    assert again["X", None]["back_to"]["commit"] == commits[3]


def test_a_check_states_since_when_with_a_history_that_is_configured(commits):
    Path("opspec-lint.toml").write_text('history = "h"\n')
    Path("h").write_bytes(Path("../h").read_bytes())
    Path(FILE).write_text(text("f(X, Y) -> (Out) [axis: INT = 2, new: INT = 1]"))
    ran = run("check", "--base", "HEAD", "--format", "json")
    since_by_name = {
        finding["name"]: finding["since"] for finding in json.loads(ran.out)["findings"] if finding["op"] == "f"
    }
    assert since_by_name["new"] is None
    assert since_by_name["axis"]["commit"] == commits[3]
    assert since_by_name["axis"]["back_to"] == commits[1]
    assert (since_by_name["axis"]["release"], since_by_name["axis"]["releases"]) == (None, 0)
    for name in ("text", "markdown", "html", "sarif"):
        assert f"goes back to what held from {commits[1][:10]}" in run("check", "--base", "HEAD", "--format", name).out
    Path(FILE).write_text(text("f(Y) -> (Out) [axis: INT = 1]"))
    ran = run("check", "--base", "HEAD", "--format", "json")
    (removed,) = (finding["since"] for finding in json.loads(ran.out)["findings"] if finding["name"] == "X")
    assert removed["is_start"]
    assert (removed["release"], removed["releases"]) == ("v1.0.0", 2)
    assert "in 2 releases" in run("check", "--base", "HEAD").out
    assert '"h"' in run("config", "--show").out


@pytest.mark.parametrize("content", [None, b"text"])
@pytest.mark.usefixtures("commits")
def test_a_history_that_is_configured_must_be_one(content):
    Path("opspec-lint.toml").write_text('history = "h"\n')
    if content is not None:
        Path("h").write_bytes(content)
    Path(FILE).write_text(text("f(Y) -> (Out) [axis: INT = 1]"))
    ran = run("check", "--base", "HEAD")
    assert ran.code in (2, 3)
    assert ran.err.count("advice: ") == 1

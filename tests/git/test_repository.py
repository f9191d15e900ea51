from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from opspec_lint.git.repository import repository_around
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading

EMPTY = '{"relu": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}'
TWO = '{"relu": {"Inputs": {}, "Outputs": {}, "Attrs": {}}, "abs": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}'


def run(*args, cwd, env=None):
    return subprocess.run(["git", *args], cwd=cwd, env=env, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with ops.json in a folder: one op committed, two staged, rubbish in the work tree."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "A")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "a@example.org")
    top = tmp_path / "top"
    (top / "specs").mkdir(parents=True)
    run("init", "-q", "-b", "main", cwd=top)
    spec = top / "specs" / "ops.json"
    spec.write_text(EMPTY)
    run("add", ".", cwd=top)
    run("commit", "-qm", "one", cwd=top)
    spec.write_text(TWO)
    run("add", ".", cwd=top)
    spec.write_text("rubbish")
    monkeypatch.chdir(top)
    return top


def ops(reference):
    return sorted(references.resolve(reference, Reading(environment=os.environ)).spec.ops)


def test_a_revision_the_index_and_the_work_tree_are_distinguished(repository):
    assert ops("HEAD:specs/ops.json") == ["relu"]
    assert ops("main:specs/ops.json") == ["relu"]
    assert ops(f"{run('rev-parse', 'HEAD', cwd=repository)}:specs/ops.json") == ["relu"]
    assert ops(":specs/ops.json") == ["abs", "relu"]
    with pytest.raises(InputError, match=r"^specs/ops\.json: is not a spec: "):
        ops("specs/ops.json")


def test_paths_are_from_the_top_and_with_a_dot_from_here(repository, monkeypatch):
    monkeypatch.chdir(repository / "specs")
    assert ops("HEAD:specs/ops.json") == ops("HEAD:./ops.json") == ops("HEAD:../specs/ops.json") == ["relu"]
    assert ops(":./ops.json") == ["abs", "relu"]


def test_trees_and_stages_of_the_index_are_named_as_in_git(repository):
    assert ops("main^{tree}:specs/ops.json") == ["relu"]
    assert ops(f"{run('rev-parse', 'HEAD^{tree}', cwd=repository)}:specs/ops.json") == ["relu"]
    assert ops(":0:specs/ops.json") == ["abs", "relu"]
    run("commit", "-qm", "ours", cwd=repository)
    run("checkout", "-q", "-f", "-b", "other", "HEAD~1", cwd=repository)
    (repository / "specs" / "ops.json").write_text(EMPTY.replace("relu", "gelu"))
    run("commit", "-qam", "theirs", cwd=repository)
    subprocess.run(["git", "merge", "-q", "main"], cwd=repository, check=False, capture_output=True)
    assert [ops(f":{stage}:specs/ops.json") for stage in (1, 2, 3)] == [["relu"], ["gelu"], ["abs", "relu"]]
    with pytest.raises(InputError, match=r"specs/ops.json: has a merge conflict in the index"):
        ops(":0:specs/ops.json")
    with pytest.raises(InputError, match=r"there is no file 'none' in stage 2 of the index"):
        ops(":2:none")


def test_an_existing_file_of_that_name_comes_first(repository):
    (repository / "HEAD:specs").mkdir()
    (repository / "HEAD:specs" / "ops.json").write_text(TWO)
    assert ops("HEAD:specs/ops.json") == ["abs", "relu"]


def test_a_bare_repository_and_a_work_tree_of_its_own_serve_too(repository, tmp_path, monkeypatch):
    run("clone", "-q", "--bare", str(repository), str(tmp_path / "bare.git"), cwd=tmp_path)
    monkeypatch.chdir(tmp_path / "bare.git")
    assert ops("main:specs/ops.json") == ["relu"]
    run("worktree", "add", "-q", str(tmp_path / "other"), cwd=repository)
    monkeypatch.chdir(tmp_path / "other")
    assert ops(":specs/ops.json") == ops("HEAD:specs/ops.json") == ["relu"]


def test_variables_of_another_repository_do_not_lead_there(repository, tmp_path, monkeypatch):
    another = tmp_path / "other"
    shutil.copytree(repository, another)
    run("rm", "-qf", "--cached", "specs/ops.json", cwd=another)
    monkeypatch.setenv("GIT_DIR", str(another / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(another))
    monkeypatch.setenv("GIT_INDEX_FILE", str(another / ".git" / "index"))
    assert ops(":specs/ops.json") == ["abs", "relu"]


def test_the_index_of_a_commit_under_way_is_what_counts(repository, monkeypatch):
    """`git commit -a` hands its hooks an index beside the usual one."""
    shutil.copy(repository / ".git" / "index", repository / ".git" / "next-index-1.lock")
    run("reset", "-q", "specs/ops.json", cwd=repository)
    assert ops(":specs/ops.json") == ["relu"]
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index-1.lock")
    assert ops(":specs/ops.json") == ["abs", "relu"]


def test_nothing_is_written(repository):
    before = {path: path.read_bytes() for path in sorted(repository.rglob("*")) if path.is_file()}
    os.utime(repository / "specs" / "ops.json", (0, 0))  # an index out of date is what tempts git to refresh it
    for reference in ("HEAD:specs/ops.json", ":specs/ops.json"):
        ops(reference)
    assert {path: path.read_bytes() for path in sorted(repository.rglob("*")) if path.is_file()} == before


@pytest.mark.parametrize(
    ("reference", "message", "advice"),
    [
        (
            "v9:specs/ops.json",
            "'v9' is neither a known scheme nor a revision of the repository",
            "`git branch` and `git tag` list the names that it has",
        ),
        (
            "v9~2:specs/ops.json",
            "'v9~2' is neither a known scheme nor a revision of the repository",
            "`git branch` and `git tag` list the names that it has",
        ),
        ("--all:specs/ops.json", "'--all' is neither a known scheme nor a revision of the repository", ""),
        ("HEAD:specs/opps.json", "there is no file 'specs/opps.json' at HEAD", "did you mean 'specs/ops.json'?"),
        (":specs/opps.json", "there is no file 'specs/opps.json' in the index", "did you mean 'specs/ops.json'?"),
        ("HEAD:specs", "there is no file 'specs' at HEAD", ""),
    ],
)
@pytest.mark.usefixtures("repository")
def test_what_is_missing_is_named(reference, message, advice):
    with pytest.raises(InputError) as caught:
        references.resolve(reference, Reading(environment=os.environ))
    assert caught.value.problem == message
    assert advice in caught.value.advice


def test_the_fetch_that_is_advised_brings_the_revision(repository, tmp_path, monkeypatch):
    run("branch", "topic/a", cwd=repository)
    clone = tmp_path / "clone"
    url = repository.as_uri()
    run("clone", "-q", "--depth=1", "--single-branch", "-b", "main", url, str(clone), cwd=tmp_path)
    monkeypatch.chdir(clone)
    with pytest.raises(InputError) as caught:
        references.resolve("origin/topic/a:specs/ops.json", Reading(environment=os.environ))
    command = caught.value.advice.split("`")[1]
    subprocess.run(command.split(), cwd=clone, check=True, capture_output=True)
    assert ops("origin/topic/a:specs/ops.json") == ["relu"]


def test_outside_of_any_repository_a_colon_means_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert repository_around(".", os.environ) is None
    with pytest.raises(InputError, match="no such file, and not a known scheme"):
        references.resolve("HEAD:specs/ops.json", Reading(environment=os.environ))

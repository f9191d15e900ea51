"""The command line of the benchmarks, and the revisions that it resolves."""

import subprocess

import pytest

from benchmarks import __main__ as program
from benchmarks import installations, places
from benchmarks.installations import RevisionError


@pytest.fixture
def top(tmp_path):
    """A repository with two commits."""
    folder = tmp_path / "top"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    for text in ("one", "two"):
        (folder / "file").write_text(text)
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", f"--message={text}")
    return folder


def git(folder, *args):
    subprocess.run(["git", *args], cwd=folder, env={"PATH": "/usr/bin:/bin", **places.GIT}, check=True)


def test_a_revision_is_resolved_or_refused(top):
    assert installations.describe(installations.resolve("HEAD~1", top), top).endswith(" one")
    assert installations.describe(None) == "the work tree"
    for wrong in ("HEAD~2", "--help", "nothing"):
        with pytest.raises(RevisionError, match=f"'{wrong}' names no commit of this repository"):
            installations.resolve(wrong, top)


def test_a_commit_is_exported_as_it_was(top, tmp_path):
    (top / "file").write_text("changed")
    target = tmp_path / "target"
    target.mkdir()
    installations.export(installations.resolve("HEAD~1", top), target, top)
    assert {path.name: path.read_text() for path in target.iterdir()} == {"file": "one"}


def test_the_work_tree_is_exported_with_new_files_and_without_deleted_and_ignored_ones(top, tmp_path):
    (top / ".gitignore").write_text("ignored\n")
    (top / "ignored").write_text("")
    (top / "sub").mkdir()
    (top / "sub" / "new").write_text("new")
    (top / "file").unlink()
    target = tmp_path / "target"
    target.mkdir()
    installations.export(None, target, top)
    texts = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    assert texts == {".gitignore", "sub/new"}


def test_a_work_tree_is_changed_by_new_files_too(top):
    assert not installations.is_changed(top)
    (top / "new").write_text("")
    assert installations.is_changed(top)


def test_a_clone_without_a_merge_base_compares_nothing_and_reports_it(capsys):
    assert program.main(["compare", "", "--quick", "--fail-on-growth", "10"]) == 0
    assert capsys.readouterr().out.startswith("no base revision: ")


def test_a_merge_base_that_is_head_compares_nothing_and_reports_it(capsys, monkeypatch):
    monkeypatch.setattr(installations, "is_changed", lambda: False)
    assert program.main(["compare", "HEAD", "--quick"]) == 0
    assert capsys.readouterr().out == "HEAD is HEAD, and the work tree has no changes: nothing to compare\n"


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["compare", "nothing", "--quick"], "'nothing' names no commit of this repository"),
        (["compare", "HEAD", "nothing"], "'nothing' names no commit of this repository"),
        (["compare", "HEAD", "HEAD", "--jobs", "nothing"], "no job matches 'nothing'; the jobs are version"),
        (["--jobs", "nothing"], "no job matches 'nothing'"),
    ],
)
def test_what_is_not_there_is_a_single_message_and_exit_code_2(texts, message, capsys):
    assert program.main(texts) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"benchmarks: error: {message}")
    assert output.err.count("\n") == 1


@pytest.mark.parametrize("texts", [["compare", "HEAD", "--repeat", "0"], ["compare"], ["nothing"]])
def test_wrong_usage_exits_with_2(texts):
    with pytest.raises(SystemExit) as caught:
        program.main(texts)
    assert caught.value.code == 2


def test_the_jobs_are_listed(capsys):
    assert program.main(["jobs"]) == 0
    assert "check-canonical " in capsys.readouterr().out

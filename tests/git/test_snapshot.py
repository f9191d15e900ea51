from __future__ import annotations

import os

import pytest

from opspec_lint.git import work_tree
from opspec_lint.git.objects import Objects
from opspec_lint.git.repository import INDEX, WORK_TREE, repository_around
from opspec_lint.git.snapshot import Snapshot
from opspec_lint.kit.errors import InputError
from tests.support.repositories import Repository

POINTS = [WORK_TREE, INDEX, "HEAD"]
every_point = pytest.mark.parametrize("point", POINTS, ids=["work tree", "index", "HEAD"])


@pytest.fixture
def repository(tmp_path):
    return Repository.make(tmp_path / "top", {"a": "committed", "folder/b": "b", ".gitignore": "ignored\n"})


@pytest.fixture
def tree(repository):
    result = repository_around(str(repository.top), repository.environment)
    store = Objects(result)
    yield lambda revision: Snapshot(result, store, revision)
    store.close()


def test_every_point_has_files_of_its_own(repository, tree):
    repository.stage({"a": "staged", "c": "c"})
    repository.write({"a": "written", "new": "new", "ignored": "x"})
    assert {point: tree(point).read("a") for point in POINTS} == {".": b"written", "": b"staged", "HEAD": b"committed"}
    assert {point: sorted(tree(point).files()) for point in POINTS} == {
        ".": [".gitignore", "a", "c", "folder/b", "new"],
        "": [".gitignore", "a", "c", "folder/b"],
        "HEAD": [".gitignore", "a", "folder/b"],
    }
    assert tree("HEAD").at(INDEX).read("a") == b"staged"


@every_point
@pytest.mark.parametrize("path", ["missing", "folder", "folder/", "a/b", "folder/../a/"])
def test_what_is_no_regular_file_is_none(tree, point, path):
    assert tree(point).read(path) is None


def test_a_deleted_file_is_not_listed(repository, tree):
    repository.write({"a": None})
    assert "a" not in tree(WORK_TREE).files()
    assert "a" in tree(INDEX).files()


def test_a_link_is_no_file(repository, tree):
    (repository.top / "link").symlink_to("a")
    (repository.top / "out").symlink_to("/etc/passwd")
    (repository.top / "dangling").symlink_to("nowhere")
    os.mkfifo(repository.top / "pipe")
    for name in ("link", "out", "dangling", "pipe"):
        assert tree(WORK_TREE).read(name) is None


def test_a_folder_that_leads_out_is_refused(repository, tree, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x").write_text("secret")
    (repository.top / "away").symlink_to(tmp_path / "outside")
    (repository.top / "near").symlink_to("folder")
    with pytest.raises(InputError, match=r"^away/x: is a symbolic link out of the repository$"):
        tree(WORK_TREE).read("away/x")
    with pytest.raises(InputError, match="symbolic link out"):
        tree(WORK_TREE).read("../outside/x")
    assert tree(WORK_TREE).read("near/b") == b"b"


def test_a_folder_with_the_beginning_of_our_name_is_outside(repository, tree, tmp_path):
    (tmp_path / "topper").mkdir()
    (tmp_path / "topper" / "x").write_text("secret")
    (repository.top / "away").symlink_to(tmp_path / "topper")
    with pytest.raises(InputError, match="symbolic link out"):
        tree(WORK_TREE).read("away/x")


def test_what_is_larger_than_any_spec_is_refused(repository, tree, monkeypatch):
    monkeypatch.setattr(work_tree, "MAX_BYTES", 5)
    repository.write({"five": "12345", "six": "123456"})
    assert tree(WORK_TREE).read("five") == b"12345"
    with pytest.raises(InputError, match="six: is larger than"):
        tree(WORK_TREE).read("six")


@pytest.mark.usefixtures("permissions_apply")
def test_a_file_without_permission_is_a_single_message(repository, tree):
    (repository.top / "a").chmod(0)
    with pytest.raises(InputError, match="a: cannot be read: Permission denied"):
        tree(WORK_TREE).read("a")


def test_files_are_named_as_on_the_command_line(repository, tree):
    assert tree(WORK_TREE).reference("a b") == "a b"
    assert tree(INDEX).reference("a b") == ":a b"
    assert tree(repository.head).reference("a b") == f"{repository.head[:10]}:a b"

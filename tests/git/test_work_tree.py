from __future__ import annotations

import pytest

from opspec_lint.git.objects import Objects
from opspec_lint.git.repository import WORK_TREE, ChangedFile, repository_around
from opspec_lint.git.snapshot import Snapshot
from opspec_lint.git.work_tree import WorkTree
from tests.support.repositories import Repository

TEXT = "".join(f"line {number}\n" for number in range(50))
FILES = {"a": TEXT, "b": "two\n", "folder/c": "three\n"}


@pytest.fixture
def repository(tmp_path):
    return Repository.make(tmp_path / "top", FILES)


@pytest.fixture
def tree(repository):
    """Return the work tree as it is now."""
    result = repository_around(str(repository.top), repository.environment)
    opened = []

    def tree():
        opened.append(Objects(result))
        return Snapshot(result, opened[-1], WORK_TREE)

    yield tree
    for objects in opened:
        objects.close()


def changes(tree, concerned=None):
    return sorted(((change.old, change.new) for change in tree().changes(tree().repository.head, concerned)), key=str)


def test_nothing_has_changed(tree):
    assert changes(tree) == []


def test_what_was_written_added_and_deleted(repository, tree):
    repository.write({"a": TEXT + "x", "d": "new", "b": None})
    assert changes(tree) == [("a", "a"), ("b", None), (None, "d")]


def test_the_content_of_what_does_not_concern_anybody_is_not_read(repository, tree):
    repository.write({"a": TEXT + "x", "folder/c": "x", "b": None})
    assert changes(tree, {"folder/c"}) == [("b", None), ("folder/c", "folder/c")]


def test_the_same_length_and_the_same_time_are_not_the_same_content(repository, tree):
    """Git itself goes by size and time."""
    subject = (repository.top / "b").stat()
    repository.write({"b": "owt\n"})
    import os

    os.utime(repository.top / "b", ns=(subject.st_atime_ns, subject.st_mtime_ns))
    assert changes(tree) == [("b", "b")]


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
def test_a_file_that_git_is_ordered_not_to_look_at_is_looked_at(repository, tree, mark):
    repository.git("update-index", mark, "b")
    repository.write({"b": "changed\n"})
    assert repository.git("status", "--porcelain") == ""
    assert changes(tree) == [("b", "b")]
    assert tree().read("b") == b"changed\n"


def test_a_file_that_git_is_ordered_not_to_look_at_may_be_gone(repository, tree):
    repository.git("update-index", "--assume-unchanged", "b")
    repository.write({"b": None})
    assert changes(tree) == [("b", None)]
    assert tree().read("b") is None


def test_what_a_sparse_checkout_leaves_out_is_what_the_index_has(repository, tree):
    repository.git("sparse-checkout", "set", "--no-cone", "/a")
    assert repository.files().keys() == {"a"}
    assert changes(tree) == []
    assert tree().read("b") == b"two\n"
    assert tree().read("folder/c") == b"three\n"
    assert tree().files() == ["a", "b", "folder/c"]
    blob = repository.git("hash-object", "-w", "--stdin", input="staged\n")
    repository.git("update-index", "--cacheinfo", f"100644,{blob},b")
    repository.git("update-index", "--skip-worktree", "b")
    assert changes(tree) == [("b", "b")]
    assert tree().read("b") == b"staged\n"


def test_what_was_renamed_in_the_index_and_changed_since_keeps_its_past(repository, tree):
    repository.git("mv", "a", "z")
    repository.write({"z": "nothing alike"})
    assert changes(tree) == [("a", "z")]


def test_what_was_moved_by_hand_is_gone_and_new(repository, tree):
    (repository.top / "a").rename(repository.top / "z")
    assert changes(tree) == [("a", None), (None, "z")]


def test_what_became_a_link_or_a_folder_is_gone(repository, tree):
    repository.write({"a": None, "b": None})
    (repository.top / "a").symlink_to("folder/c")
    repository.write({"b/inner": "x"})
    assert changes(tree) == [("a", None), ("b", None), (None, "b/inner")]


def test_a_conflict_is_a_change(repository, tree):
    repository.git("checkout", "-qb", "other")
    repository.commit({"b": "theirs\n"})
    repository.git("checkout", "-q", "main")
    repository.commit({"b": "ours\n"})
    assert repository.run("git", "merge", "other").returncode == 1
    assert changes(tree) == [("b", "b")]


def test_an_intent_to_add_is_a_new_file(repository, tree):
    repository.write({"d": "new"})
    repository.git("add", "-N", "d")
    assert changes(tree) == [(None, "d")]


def test_ids_of_another_kind(tmp_path):
    made = Repository(tmp_path / "top")
    made.top.mkdir()
    made.git("init", "-q", "-b", "main", "--object-format=sha256")
    made.commit(FILES)
    made.write({"b": "x"})
    result = repository_around(str(made.top), made.environment)
    objects = Objects(result)
    assert Snapshot(result, objects, WORK_TREE).changes(result.head) == [ChangedFile(old="b", new="b")]
    objects.close()


def test_what_was_replaced_counts_as_it_was(repository):
    """Only here would it be something else: others have the object itself."""
    old = repository.head
    repository.commit({"b": "new\n"})
    repository.git("replace", repository.git("rev-parse", f"{old}:b"), repository.git("rev-parse", "HEAD:b"))
    repository.git("replace", old, repository.head)
    assert repository.git("show", f"{old}:b") == "new"
    result = repository_around(str(repository.top), repository.environment)
    objects = Objects(result)
    assert objects.read(old, "b") == result.read(old, "b") == b"two\n"
    assert result.changes(old, result.head) == [ChangedFile(old="b", new="b")]
    objects.close()


def test_parents_that_are_grafted_do_not_count(repository):
    first = repository.head
    second = repository.commit({"b": "new\n"})
    repository.git("checkout", "-q", "--orphan", "other")
    another = repository.commit({"b": "other\n"})
    (repository.top / ".git" / "info").mkdir(exist_ok=True)
    (repository.top / ".git" / "info" / "grafts").write_text(f"{another} {second}\n")
    result = repository_around(str(repository.top), repository.environment)
    assert repository.git("merge-base", another, first) == first
    assert result.merge_bases(first, [another]) == []
    assert result.merge_bases(first, [second]) == [first]


def test_a_file_that_goes_while_the_tree_is_compared_has_changed(repository, tree, monkeypatch):
    is_regular = WorkTree._is_regular

    def then_gone(self, path):
        result = is_regular(self, path)
        if path == "b":
            (repository.top / path).unlink()
        return result

    monkeypatch.setattr(WorkTree, "_is_regular", then_gone)
    assert changes(tree) == [("b", "b")]

from __future__ import annotations

import pytest

from opspec_lint.git.default_branch import default_branches
from opspec_lint.git.repository import repository_at
from tests.support.repositories import Repository


@pytest.fixture
def repository(tmp_path):
    return Repository.make(tmp_path / "top", {"a": "1"})


def known(repository, *branches, **heads):
    """Make branches, by their full names, each at a commit of its own, and the HEAD of some remotes."""
    for branch in branches:
        repository.git("update-ref", f"refs/{branch}", repository.commit({"a": branch}))
    for remote, name in heads.items():
        repository.git("symbolic-ref", f"refs/remotes/{remote}/HEAD", f"refs/remotes/{remote}/{name}")
    return repository


def reported(repository):
    made = repository_at(str(repository.top), repository.environment)
    branches = list(default_branches(made))
    for branch in branches:
        assert made.commit(branch.name) == branch.commit
    return [branch.name for branch in branches]


@pytest.mark.parametrize(
    ("branches", "heads", "expected"),
    [
        ((), {}, ["main"]),
        (("remotes/origin/topic", "remotes/origin/master", "remotes/origin/main"), {}, ["origin/main", "main"]),
        (("remotes/origin/master",), {}, ["origin/master", "main"]),
        (("remotes/origin/develop", "remotes/origin/main"), {"origin": "develop"}, ["origin/develop", "main"]),
        (("remotes/origin/a/b", "remotes/origin/main"), {"origin": "a/b"}, ["origin/a/b", "main"]),
        (("remotes/origin/main",), {"origin": "gone"}, ["origin/main", "main"]),
        (("remotes/origin/topic",), {}, ["main"]),
        (
            ("remotes/b/main", "remotes/origin/main", "remotes/upstream/main", "remotes/a/main"),
            {},
            ["upstream/main", "origin/main", "a/main", "b/main", "main"],
        ),
        (
            ("remotes/origin/develop", "remotes/upstream/develop", "remotes/upstream/main"),
            {"origin": "develop"},
            ["upstream/develop", "origin/develop", "main"],
        ),
        (("remotes/upstream/topic", "remotes/origin/main"), {}, ["origin/main", "main"]),
        (("heads/master", "heads/topic"), {}, ["main"]),
    ],
)
def test_the_branches_that_changes_may_be_merged_into(repository, branches, heads, expected):
    assert reported(known(repository, *branches, **heads)) == expected


def test_a_branch_of_another_name_counts_if_it_is_the_only_one_and_not_checked_out(repository):
    repository.git("branch", "-m", "main", "team/trunk")
    assert reported(repository) == []
    repository.git("checkout", "-q", "--detach")
    assert reported(repository) == ["team/trunk"]
    known(repository, "heads/topic")
    assert reported(repository) == []


def test_in_a_clone_the_only_branch_may_be_any(repository):
    repository.git("branch", "-m", "main", "topic")
    repository.git("remote", "add", "origin", "https://example.org/none")
    assert reported(repository) == []
    assert reported(known(repository, "remotes/origin/topic")) == []

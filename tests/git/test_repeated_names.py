"""A tree object in which one name stands twice: git reads the first entry where it is asked for the path."""

from __future__ import annotations

import os
import subprocess

import pytest

from opspec_lint.git.listing import refuse_repeated_names
from opspec_lint.git.repository import repository_around
from opspec_lint.git.stored_tree import CommitTree
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.repositories import Repositories
from tests.support.projects import FILE, text
from tests.support.projects import check as check_repository
from tests.support.repositories import Repository

GOOD, BAD = text("f(X, Y) -> (Out)"), text("f(X) -> (Out)")


def written(repository, kind, data):
    """Write an object as it is, and return its id."""
    command = ["git", "hash-object", "-t", kind, "--literally", "-w", "--stdin"]
    ran = subprocess.run(command, input=data, cwd=repository.top, check=True, capture_output=True)
    return bytes.fromhex(ran.stdout.decode().strip())


def forged(repository, *, twice):
    """Commit the good file, with the bad one behind it: the file twice, or its folder."""
    folder, _, name = FILE.rpartition("/")
    files = [b"100644 %s\0%s" % (name.encode(), written(repository, "blob", item.encode())) for item in (GOOD, BAD)]
    trees = [b"".join(files)] if twice == "file" else files
    entries = b"".join(b"40000 %s\0%s" % (folder.encode(), written(repository, "tree", tree)) for tree in trees)
    tree = written(repository, "tree", entries).hex()
    return repository.git("commit-tree", tree, "-p", "HEAD", "-m", "forged").strip()


@pytest.fixture(params=["file", "folder"])
def made(request, tmp_path):
    repository = Repository.make(tmp_path / "top", {FILE: GOOD})
    return repository, forged(repository, twice=request.param)


def test_a_tree_that_has_a_name_twice_is_refused_as_head(made):
    repository, head = made
    with pytest.raises(InputError, match="two entries of this name"):
        check_repository(repository, head=head, base="HEAD", is_exact=True)


@pytest.mark.parametrize("is_exact", [True, False])
def test_it_is_refused_as_base_and_as_the_tip_of_its_branch(made, is_exact):
    """Base reads the good file, its work tree may hold the bad one."""
    repository, forged = made
    with pytest.raises(InputError, match="two entries of this name"):
        check_repository(repository, head="HEAD", base=forged, is_exact=is_exact)


def test_it_is_refused_as_a_merge_base(made):
    repository, forged = made
    repository.git("branch", "target", forged)
    repository.git(
        "update-ref", "refs/heads/ahead", repository.git("commit-tree", "HEAD^{tree}", "-p", forged, "-m", "x").strip()
    )
    with pytest.raises(InputError, match="two entries of this name"):
        check_repository(repository, head="ahead", base="target")


def test_it_is_refused_on_the_command_line(made, monkeypatch):
    repository, head = made
    monkeypatch.chdir(repository.top)
    with pytest.raises(InputError, match="two entries of this name"):
        references.resolve(f"{head}:{FILE}", Reading(environment=repository.environment))


def test_it_is_refused_as_a_source_tree(made):
    repository, head = made
    with Repositories(repository.environment) as opened, pytest.raises(InputError, match="two entries of this name"):
        CommitTree("tree", opened.at(str(repository.top)), head, "").blobs((os.path.dirname(FILE),))


def test_every_other_tree_is_taken(tmp_path):
    repository = Repository.make(tmp_path / "top", {FILE: GOOD, "a/b": "c", "a/b c": "d", "a.b/c": "e"})
    opened = repository_around(str(repository.top), repository.environment)
    assert refuse_repeated_names(opened, repository.head) is None

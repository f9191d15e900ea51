"""The runner of these tests, against git."""

from __future__ import annotations

import pytest

from tests.github.runner import PullRequest, Runner, git
from tests.support.repositories import copy_of_a_new_repository

FILES = {"README": "one\n", "specs/ops.json": "{}", "specs/old/ops.json": "[]", "link": ("README",)}


def state(top):
    """Return all that is in a repository, apart from the commit that git fetched last."""
    shallow = top / ".git" / "shallow"
    return {
        "config": (top / ".git" / "config").read_text(encoding="utf-8"),
        "objects": git("cat-file", "--batch-all-objects", "--batch-check", cwd=top),
        "shallow": shallow.exists() and sorted(shallow.read_text(encoding="ascii").split()),
        "head": (top / ".git" / "HEAD").read_text(encoding="ascii"),
        "refs": git("for-each-ref", cwd=top),
        "reachable": sorted(git("rev-list", "--objects", "HEAD", cwd=top).splitlines()),
        "index": git("ls-files", "-s", cwd=top),
        "changes": git("status", "--porcelain", cwd=top),
    }


@pytest.mark.parametrize("depth", [0, 1, 2, 5])
@pytest.mark.parametrize("of", ["merge", "fork"])
def test_a_checkout_is_what_git_would_fetch(origin, tmp_path, of, depth):
    change = PullRequest(origin, FILES, {**FILES, "specs/new.json": "1"}, moved={"moved": "2"}, commits=3, history=4)
    commit = getattr(change, of)
    runner = Runner(tmp_path / "runner")
    runner.checkout(origin, commit, depth=depth)

    fetched = tmp_path / "fetched"
    copy_of_a_new_repository(fetched)
    git("remote", "add", "origin", origin.folder.as_uri(), cwd=fetched)
    git("fetch", "-q", "--no-tags", *([f"--depth={depth}"] if depth else []), "origin", commit, cwd=fetched)
    git("checkout", "-q", "--detach", commit, cwd=fetched)
    assert state(runner.workspace) == state(fetched)

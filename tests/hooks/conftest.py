from __future__ import annotations

import fcntl
import os

import pytest

from tests.hooks.committing import BASE, Committing, Hooks
from tests.support.repositories import SPEC


@pytest.fixture(scope="session")
def hooks(tmp_path_factory):
    """The hooks, installed once for all processes of a test run."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    built = Hooks(shared / "hooks")
    with open(shared / "hooks.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (built.folder / "ready").exists():
            built.build()
            (built.folder / "ready").touch()
    return built


@pytest.fixture
def unborn(tmp_path, hooks):
    """A repository without a commit, in which pre-commit is installed."""
    return Committing.under(tmp_path, hooks)


@pytest.fixture
def repository(unborn):
    """A repository with a commit that has a spec file, and with the check as its only hook."""
    unborn.commit({SPEC: BASE, "README": "one\n"})
    return unborn

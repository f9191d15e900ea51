from __future__ import annotations

import pytest

from tests.hooks.committing import BASE, Committing, Hooks
from tests.support.made_once import made_once
from tests.support.repositories import SPEC


@pytest.fixture(scope="session")
def hooks(tmp_path_factory):
    """The hooks, installed once for all processes of a test run."""
    with made_once(tmp_path_factory, "hooks") as (folder, is_made):
        built = Hooks(folder)
        if not is_made:
            built.build()
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

from __future__ import annotations

import pytest

from tests.github.runner import Api, Origin, Runner


@pytest.fixture
def origin(tmp_path):
    return Origin(tmp_path / "origin")


@pytest.fixture
def api():
    made = Api()
    yield made
    made.close()


@pytest.fixture
def runner(tmp_path, api):
    return Runner(tmp_path / "runner", api)

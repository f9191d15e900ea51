"""Its being here puts this folder on the path, so that every test finds the helpers beside it."""

import pytest
from browsing import chromium, open_page  # noqa: F401 - fixtures


@pytest.fixture(autouse=True)
def _not_in_a_job(monkeypatch):
    """A test that is about a CI job says so itself."""
    monkeypatch.delenv("CI", raising=False)

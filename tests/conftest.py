"""Fixtures that tests of several rooms use."""

import subprocess
import sys
import zipfile

import pytest

from tests.support import paths
from tests.support.browsing import chromium, open_page  # noqa: F401 - fixtures
from tests.support.patience import PATIENCE
from tests.support.permissions import permissions_apply  # noqa: F401 - a fixture


@pytest.fixture(autouse=True)
def _not_in_a_job(monkeypatch):
    """A test that is about a CI job says so itself."""
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """A folder with what the wheel installs: for the path of Python, in place of this checkout."""
    folder = tmp_path_factory.mktemp("installed")
    hook = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]))"
    built = [sys.executable, "-c", hook, str(folder)]
    subprocess.run(built, cwd=paths.TOP, check=True, capture_output=True, timeout=PATIENCE)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder

"""Fixtures that tests of several rooms use."""

import gc
import os
import subprocess
import sys
import zipfile

import pytest
from hypothesis import HealthCheck, settings

from opspec_lint.sources import recognise, references
from tests.support import paths, released_specs
from tests.support.browsing import chromium, open_page  # noqa: F401 - fixtures
from tests.support.made_once import made_once, shared_folder
from tests.support.patience import PATIENCE
from tests.support.permissions import permissions_apply  # noqa: F401 - a fixture

# How long an example takes says how busy the machine is: no test of Hypothesis depends on it.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Take a worker more than there are cores for `-n auto`: many tests wait, for a server or for a timeout."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else None


def pytest_configure():
    """Collect no garbage among the tests that are collected: hundreds of thousands of objects, which all stay."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Let the garbage collector ignore what was collected, for the rest of the run."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give each worker half of the tests in a row, of which an idle one steals: what a module has is made once.

    Tests that take minutes each are given out one by one, with `--maxschedchunk 1`.
    """
    if config.getoption("dist") != "load" or config.getoption("maxschedchunk") is not None:
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.fixture(scope="session", autouse=True)
def _compiled_once(tmp_path_factory):
    """Let the processes that tests start share what Python has compiled, where it may not lie beside the sources."""
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("PYTHONDONTWRITEBYTECODE"):
            patch.setenv("PYTHONPYCACHEPREFIX", str(shared_folder(tmp_path_factory) / "compiled"))
            patch.delenv("PYTHONDONTWRITEBYTECODE")
        yield


@pytest.fixture(scope="session", autouse=True)
def _released_specs_decoded_once():
    """Let the runs in this process share the released specs; the file of each is read again, and its text compared."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(references, "_load_released", released_specs.load)
        patch.setattr(recognise, "read", released_specs.read)
        yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_waits_for_the_disk():
    """Let no test wait until its files have reached the disk: they need not outlive a power failure."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(autouse=True)
def _not_in_a_job(monkeypatch):
    """A test that is about a CI job says so itself."""
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """A folder with what the wheel installs: for the path of Python, in place of this checkout."""
    with made_once(tmp_path_factory, "installed") as (folder, is_made):
        if not is_made:
            _install(folder)
    return folder


def _install(folder):
    folder.mkdir(exist_ok=True)
    hook = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]))"
    built = [sys.executable, "-c", hook, str(folder)]
    subprocess.run(built, cwd=paths.TOP, check=True, capture_output=True, timeout=PATIENCE)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)

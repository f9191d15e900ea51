"""A plugin of pytest that notes which lines of the package each test reaches, and how many seconds it takes.

Both go to the folder that the environment names: `.coverage*`, whose contexts are the names of the tests without their
parameters, and `seconds*.json`, of tests that pass alone. Each process of pytest-xdist writes files of its own. A test
that starts another process reaches, as far as this tells, nothing.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from pathlib import Path

import coverage
import pytest

_folder = Path(os.environ["OPSPEC_LINT_NOTES"])
_worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
_coverage = coverage.Coverage(
    data_file=str(_folder / f".coverage.{_worker}"), include=["opspec_lint/*"], config_file=False
)
_coverage.config.relative_files = True
_seconds: Counter[str] = Counter()
_failing: set[str] = set()


def pytest_sessionstart() -> None:
    """Start to note, before a test module imports the package."""
    _coverage.start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item):
    """Note what one test does, what its fixtures do included."""
    test = item.nodeid.partition("[")[0]
    _coverage.switch_context(test)
    since = time.process_time()
    result = yield
    _seconds[test] += time.process_time() - since
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what fails as it is, and so tells nothing of a fault."""
    if report.failed:
        _failing.add(report.nodeid.partition("[")[0])


def pytest_sessionfinish() -> None:
    """Write it down."""
    for test in _failing:
        _seconds.pop(test, None)
    _coverage.stop()
    _coverage.save()
    (_folder / f"seconds.{_worker}.json").write_text(json.dumps(_seconds), encoding="utf-8")

"""Plugin of pytest that records which lines of the package each test reaches, and how many seconds it takes.

Both go to the folder OPSPEC_LINT_NOTES: `.coverage*`, whose contexts are the names of the tests without their
parameters, and `seconds*.json`, of passing tests. Each process of pytest-xdist writes its own files. Lines that a test
reaches in another process are not recorded.
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
    """Start the measurement, before a test module imports the package."""
    _coverage.start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item):
    """Measure one test, including its fixtures."""
    test = item.nodeid.partition("[")[0]
    _coverage.switch_context(test)
    since = time.process_time()
    result = yield
    _seconds[test] += time.process_time() - since
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record a test that fails without a fault: it could not detect one."""
    if report.failed:
        _failing.add(report.nodeid.partition("[")[0])


def pytest_sessionfinish() -> None:
    """Write the files."""
    for test in _failing:
        _seconds.pop(test, None)
    _coverage.stop()
    _coverage.save()
    (_folder / f"seconds.{_worker}.json").write_text(json.dumps(_seconds), encoding="utf-8")

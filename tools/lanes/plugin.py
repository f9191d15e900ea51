"""Plugin of pytest for a lane of CI: it records the tests that ran; the last lane prints those that no lane ran.

    pytest -p tools.lanes.plugin --lane NAME --lanes FOLDER
    pytest -p tools.lanes.plugin --lane NAME --lanes FOLDER --last-lane

The list is part of pytest's own summary, so the closing line remains pytest's. An unexpected skip fails the run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tools.lanes import skips


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lanes")
    group.addoption("--lane", metavar="NAME", help="the lane of CI that these tests are")
    group.addoption("--lanes", metavar="FOLDER", type=Path, help="where the lanes note which tests they ran")
    group.addoption("--last-lane", action="store_true", help="print the tests that no lane ran")


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(_Worker(config))
    elif config.getoption("lanes"):
        config.pluginmanager.register(_Lane(config))


class _Worker:
    """Recorder of the deselected tests in a worker of pytest-xdist, whose controller collects none itself."""

    def __init__(self, config: Any) -> None:
        self.output = config.workeroutput = getattr(config, "workeroutput", {})
        self.output["deselected"] = []

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.output["deselected"] += [item.nodeid for item in items]


class _Lane:
    """Recorder of the tests of a lane: which ran, and which were skipped, with the reason."""

    def __init__(self, config: pytest.Config) -> None:
        self.name, self.folder = config.getoption("lane"), config.getoption("lanes")
        self.is_last = config.getoption("last_lane")
        self.ran: set[str] = set()
        self.skipped: dict[str, str] = {}
        self.verdict: skips.Verdict | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and not hasattr(report, "wasxfail"):
            self.skipped[report.nodeid] = _reason(report)
        elif report.when == "call" or report.failed:
            self.ran.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.skipped[report.nodeid] = _reason(report)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self._deselect(item.nodeid for item in items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self._deselect(getattr(node, "workeroutput", {}).get("deselected", ()))

    def _deselect(self, tests: Any) -> None:
        for test in tests:
            self.skipped.setdefault(test, skips.DESELECTED)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        skips.write(self.folder, self.name, self.ran, self.skipped)
        if self.is_last:
            self.verdict = skips.judge(skips.read(self.folder), skips.expected())
            if self.verdict.problems and session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.verdict is None:
            return
        terminalreporter.section(f"tests that no lane ran: {self.verdict.skips.total()}")
        for skip, count in sorted(self.verdict.skips.items()):
            terminalreporter.line(f"{skip.test} ({count}): {skip.reason}")
        for problem in self.verdict.problems:
            terminalreporter.line(problem, red=True)


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return why a test was skipped: pytest states it as (file, line, "Skipped: reason")."""
    message = report.longrepr[2] if isinstance(report.longrepr, tuple | list) else str(report.longrepr)
    return message.removeprefix("Skipped: ")

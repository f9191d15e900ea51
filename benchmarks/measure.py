"""Whole processes against a baseline that is measured in the same run: processor times, ratio and peak memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
PROGRAM = [str(Path(sys.executable).with_name("opspec-lint"))]
ENVIRONMENT = {
    **{
        name: value
        for name, value in os.environ.items()
        if name != "PYTHONDONTWRITEBYTECODE" and not name.startswith("GIT_")
    },
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def show(  # noqa: PLR0913, PLR0917 - what is measured, how often and where
    title: str,
    command: list[str],
    baseline: list[str],
    runs: int,
    folder: Path = ROOT,
    before: Callable[[], None] = lambda: None,
) -> None:
    """Measure a command against its baseline, and print both medians, their ratio and the peak memory.

    Args:
        title: what is measured.
        command: the command.
        baseline: the command that it is compared with.
        runs: how often each is run.
        folder: where.
        before: is called before each run of the command.
    """
    times: list[tuple[float, float]] = []
    memory = 0
    for run in range(runs + 1):
        before()
        ours, peak = measure(command, folder)
        theirs, _ = measure(baseline, folder)
        if run:  # the first one fills the caches
            times.append((ours, theirs))
            memory = max(memory, peak)
    ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(a / b for a, b in times)
    figures = f"{ours * 1e3:8.1f} ms, baseline {theirs * 1e3:8.1f} ms, {ratio:5.2f} times, {memory / 1024:6.1f} MB"
    print(f"{title:<54} {figures}")


def measure(command: list[str], folder: Path) -> tuple[float, int]:
    """Return the processor time of a process and of those that it starts, in seconds, and its peak memory in KiB.

    Raises:
        RuntimeError: the process failed.
    """
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, env=ENVIRONMENT
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss

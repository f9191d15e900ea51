"""The recorded figures from which `python -m tools.docs` makes the tables of timings in the documentation."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from benchmarks.jobs import JOBS
from benchmarks.runs import BASELINE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.runs import Result

PATH = "docs/explanation/timings.json"
"""Path of the recorded figures in the repository."""


@dataclass(frozen=True)
class Timing:
    """Figures of one job: medians in milliseconds of processor time, the median ratio, and peak memory in MB.

    `date` is the date of the last commit before the measurement.
    """

    milliseconds: float
    baseline: float
    ratio: float
    memory: float
    repetitions: int
    date: str
    python: str
    processor: str


def record(path: Path, results: Sequence[Result], date: str) -> None:
    """Write the figures of some jobs, measured after a commit of a date; keep the recorded figures of other jobs.

    Figures of jobs that no longer exist are removed.
    """
    kept = load(path) if path.exists() else {}
    measured = {result.name: _timing(result, date) for result in results if result.figures and not result.failed}
    timings = {job.name: timing for job in JOBS if (timing := measured.get(job.name) or kept.get(job.name))}
    document = {name: asdict(timing) for name, timing in timings.items()}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> dict[str, Timing]:
    """Return the recorded figures by the names of their jobs."""
    document = json.loads(path.read_text(encoding="utf-8"))
    return {name: Timing(**figures) for name, figures in document.items()}


def _timing(result: Result, date: str) -> Timing:
    new, baseline = result.figures["new"], result.figures[BASELINE]
    return Timing(
        milliseconds=round(new.median * 1e3, 1),
        baseline=round(baseline.median * 1e3, 1),
        ratio=round(result.to_baseline("new"), 2),
        memory=round(new.memory / 1024, 1),
        repetitions=len(new.seconds),
        date=date,
        python=platform.python_version(),
        processor=_processor(),
    )


def _processor() -> str:
    """Return the model of the processor, or its machine type where the system names no model."""
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as stream:
            for line in stream:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()

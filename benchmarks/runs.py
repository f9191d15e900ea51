"""Execution of jobs under one or two installations and their baselines, in turn."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import processes
from benchmarks.jobs import LONG, reason_to_skip
from benchmarks.places import GIT, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.installations import Installation
    from benchmarks.jobs import Command, Job

BASELINE = "baseline"


@dataclass
class Figures:
    """Costs of one command: a time in seconds for each repetition, peak memory in KiB, and what is counted."""

    seconds: list[float] = field(default_factory=list)
    memory: int = 0
    instructions: int | None = None
    modules: list[str] | None = None

    @property
    def median(self) -> float:
        """Median of the times."""
        return statistics.median(self.seconds)


@dataclass
class Result:
    """Figures of a job by label: `old`, `new` and `baseline`; or why there are none."""

    name: str
    title: str
    baseline_title: str
    figures: dict[str, Figures] = field(default_factory=dict)
    skipped: str = ""
    failed: str = ""

    def to_baseline(self, label: str) -> float:
        """Return the median ratio of the times to the times of the baseline."""
        pairs = zip(self.figures[label].seconds, self.figures[BASELINE].seconds, strict=True)
        return statistics.median(seconds / baseline for seconds, baseline in pairs)


def run(jobs: Sequence[Job], installations: Sequence[Installation], repeat: int) -> Iterator[Result]:
    """Run jobs one after the other, and yield the result of each."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as temporary:
        data, prepared = Path(temporary, "data"), None
        for job in jobs:
            result = Result(job.name, job.title, job.baseline_title)
            result.skipped = reason_to_skip(job, os.environ)
            if not result.skipped:
                try:
                    if prepared != job.data:
                        prepared = None
                        _prepare(job.data, data)
                        prepared = job.data
                    _Bench(job, installations, str(data)).fill(result, repeat)
                except processes.FailedError as error:
                    result.failed = str(error)
            yield result


def _prepare(arguments: Command, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    if arguments:
        command = [sys.executable, "-m", "benchmarks.data", str(folder), *arguments]
        made = subprocess.run(command, cwd=ROOT, env={**os.environ, **GIT}, capture_output=True, text=True, check=False)
        if made.returncode:
            raise processes.FailedError(f"the data cannot be prepared: {made.stderr.strip().rpartition(chr(10))[2]}")


class _Bench:
    """One job, ready to be repeated under each label."""

    def __init__(self, job: Job, installations: Sequence[Installation], data: str) -> None:
        self.job, self.installations = job, installations
        tree = os.environ.get(job.tree, "")
        self.places = {"data": data, "root": str(ROOT), "specs": str(installations[0].specs), "tree": tree}
        (self.folder,) = self._filled((job.folder,), installations[0])
        self.baseline = self._filled(job.baseline, installations[0])

    def _filled(self, command: Command, installation: Installation) -> list[str]:
        places = {**self.places, "cache": str(installation.cache)}
        return [_filled(argument, places) for argument in command]

    def fill(self, result: Result, repeat: int) -> None:
        """Measure times, memory, imported modules and, for short jobs, instructions."""
        for installation in self.installations:
            self._warm_up(installation)
        labels = [*(installation.label for installation in self.installations), BASELINE]
        result.figures = {label: Figures() for label in labels}
        for label in labels:  # fills the caches, the kernel's among them
            self._measure(label)
        for repetition in range(min(repeat, LONG) if self.job.is_long else repeat):
            first = repetition % len(labels)
            for label in labels[first:] + labels[:first]:  # no label always follows the same one
                cost = self._measure(label)
                result.figures[label].seconds.append(cost.seconds)
                result.figures[label].memory = max(result.figures[label].memory, cost.memory)
        for installation in self.installations:
            self._restore_cache(installation)
            command = self._filled(self.job.command, installation)
            modules = processes.imported_modules(command, self.folder, installation.environment)
            result.figures[installation.label].modules = modules
        if self.job.is_counted and not self.job.is_long:
            # What is counted depends on no other process, so both may run at once.
            with ThreadPoolExecutor() as pool:
                counts = pool.map(self._count, self.installations)
                for installation, count in zip(self.installations, counts, strict=True):
                    result.figures[installation.label].instructions = count

    def _warm_up(self, installation: Installation) -> None:
        """Prepare the cache folder that each repetition starts with: filled by the warm-up command, or empty."""
        for folder in (installation.cache, _kept_cache(installation)):
            shutil.rmtree(folder, ignore_errors=True)
        installation.cache.mkdir()
        if self.job.warm_up:
            processes.run(self._filled(self.job.warm_up, installation), self.folder, installation.environment)
        shutil.copytree(installation.cache, _kept_cache(installation), symlinks=True)

    def _restore_cache(self, installation: Installation) -> None:
        shutil.rmtree(installation.cache, ignore_errors=True)
        shutil.copytree(_kept_cache(installation), installation.cache, symlinks=True)

    def _measure(self, label: str) -> processes.Cost:
        if label == BASELINE:
            return processes.measure(self.baseline, self.folder, self.installations[0].environment)
        (installation,) = (installation for installation in self.installations if installation.label == label)
        self._restore_cache(installation)
        return processes.measure(self._filled(self.job.command, installation), self.folder, installation.environment)

    def _count(self, installation: Installation) -> int | None:
        self._restore_cache(installation)
        command = self._filled(self.job.command, installation)
        return processes.count_instructions(command, self.folder, installation.environment)


def _filled(argument: str, places: Mapping[str, str]) -> str:
    for name, value in places.items():
        argument = argument.replace(f"{{{name}}}", value)
    return argument


def _kept_cache(installation: Installation) -> Path:
    return installation.folder / "kept"

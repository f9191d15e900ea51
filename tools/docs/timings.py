"""Tables of timings in the pages of the docs, filled from the recorded figures of the benchmarks."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.jobs import JOBS, MODELS
from benchmarks.timings import PATH, Timing, load

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.jobs import Job

TOP = Path(__file__).parents[2]
_BLOCK = re.compile(r"(<!-- timings: (?P<patterns>[^>]+?) -->\n)(?:.*?\n)??(<!-- end of timings -->)", re.DOTALL)
_MILLION = 1_000_000


def pages(top: Path = TOP) -> dict[str, str]:
    """Return the pages with tables of timings, by their paths, each with its tables filled.

    Raises:
        ValueError: a table names a job that does not exist or has no recorded figures.
    """
    timings = load(top / PATH)
    made = {}
    for path in sorted((top / "docs").rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if _BLOCK.search(text):
            made[path.relative_to(top).as_posix()] = fill(text, timings)
    return made


def fill(text: str, timings: Mapping[str, Timing]) -> str:
    """Return a page with its tables filled."""
    return _BLOCK.sub(lambda block: f"{block[1]}\n{_block(block['patterns'], timings)}\n\n{block[3]}", text)


def _block(patterns: str, timings: Mapping[str, Timing]) -> str:
    if patterns == "ten million models":
        return "\n".join(_ten_million(timings))
    return "\n".join(_table(_rows(patterns.split(), timings)))


def _rows(patterns: Sequence[str], timings: Mapping[str, Timing]) -> list[tuple[Job, Timing]]:
    rows = []
    for pattern in patterns:
        jobs = [job for job in JOBS if fnmatchcase(job.name, pattern) and job.name in timings]
        if not jobs:
            raise ValueError(f"{PATH} has no figures of '{pattern}': run `python -m benchmarks --write {PATH}`")
        rows += [(job, timings[job.name]) for job in jobs]
    return rows


def _table(rows: Sequence[tuple[Job, Timing]]) -> Iterator[str]:
    yield "| what | processor time | times the baseline | baseline | memory |"
    yield "| --- | --- | --- | --- | --- |"
    for job, timing in rows:
        baseline = f"{job.baseline_title}, {duration(timing.baseline)}"
        cells = (
            job.title,
            duration(timing.milliseconds),
            f"{timing.ratio:.2g}",
            baseline,
            f"{timing.memory:.0f} MB",
        )
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield from _origins([timing for _, timing in rows])


def _origins(timings: Sequence[Timing]) -> Iterator[str]:
    """Yield the origin of figures: one line for each date, Python and processor."""
    groups = dict.fromkeys((timing.date, timing.python, timing.processor) for timing in timings)
    for date, python, processor in groups:
        yield f"Measured with the state of {date}, Python {python}, on {processor}."


def duration(milliseconds: float) -> str:
    """Return a time in the unit that fits it."""
    if milliseconds < 1000:
        return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:.0f} ms"
    return f"{milliseconds / 1000:.1f} s" if milliseconds < 10_000 else f"{milliseconds / 1000:.0f} s"


def _ten_million(timings: Mapping[str, Timing]) -> Iterator[str]:
    """Yield the table of the costs of ten million models, extrapolated from the benchmarks of some hundred."""
    names = {
        "models-first": "first run",
        "models-unchanged": "second run, nothing changed",
        "models-new-spec": "a new spec",
    }
    rows = [row for name in names for row in _rows([name], timings)]
    yield f"| run | {MODELS} models | one model | ten million models, on one processor |"
    yield "| --- | --- | --- | --- |"
    for job, timing in rows:
        milliseconds = timing.milliseconds / MODELS
        hours = milliseconds * 10 * _MILLION / 1000 / 3600
        yield f"| {names[job.name]} | {duration(timing.milliseconds)} | {duration(milliseconds)} | {hours:.0f} hours |"
    yield ""
    yield from _origins([timing for _, timing in rows])

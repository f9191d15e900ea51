"""Reports of results: as text, and as JSON that can be read back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from benchmarks import noise
from benchmarks.runs import BASELINE, Figures, Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NAMED = 12
"""Most modules that are named of those that only one side imports."""
_HEADS = ("minimum", "median", "to baseline", "instructions", "modules", "memory")


def render(result: Result, jobs: int) -> str:
    """Return the text of one result, of a run of so many jobs."""
    lines = [f"{result.name}: {result.title}"]
    if result.skipped or result.failed:
        return "\n".join([*lines, f"  {'skipped' if result.skipped else 'failed'}: {result.skipped or result.failed}"])
    rows = [(label, *_cells(label, result)) for label in result.figures]
    changed = change(result, jobs)
    if changed:
        rows.append(("new/old", *_ratios(result)))
    lines += [f"  {label:<8}" + "".join(f"{cell:>14}" for cell in cells) for label, *cells in (("", *_HEADS), *rows)]
    if changed:
        lines.append(f"  time: {changed.verdict}, {_interval(changed)}")
        lines += _changed_modules(result)
    lines.append(f"  baseline: {result.baseline_title}")
    return "\n".join(lines)


def change(result: Result, jobs: int) -> noise.Change | None:
    """Return the change of time of a result with both revisions; None of another one."""
    if "old" not in result.figures:
        return None
    return noise.change(result.figures["old"].seconds, result.figures["new"].seconds, jobs)


def is_slower(result: Result, jobs: int) -> bool:
    """Return whether the new revision of a comparison of so many jobs is significantly slower."""
    changed = change(result, jobs)
    return changed is not None and changed.verdict == "slower"


def _cells(label: str, result: Result) -> Iterator[str]:
    figures = result.figures[label]
    yield f"{min(figures.seconds) * 1e3:.1f} ms"
    yield f"{figures.median * 1e3:.1f} ms"
    yield "" if label == BASELINE else f"{result.to_baseline(label):.2f}"
    yield "" if figures.instructions is None else f"{figures.instructions / 1e6:.2f} M"
    yield "" if figures.modules is None else str(len(figures.modules))
    yield f"{figures.memory / 1024:.1f} MB"


def _ratios(result: Result) -> Iterator[str]:
    old, new = result.figures["old"], result.figures["new"]
    yield f"{min(new.seconds) / min(old.seconds):.3f}"
    yield f"{noise.change(old.seconds, new.seconds).ratio:.3f}"
    yield f"{result.to_baseline('new') / result.to_baseline('old'):.3f}"
    yield f"{new.instructions / old.instructions:.4f}" if new.instructions and old.instructions else ""
    yield f"{len(new.modules) - len(old.modules):+}" if new.modules is not None and old.modules is not None else ""
    yield f"{new.memory / old.memory:.3f}"


def _interval(changed: noise.Change) -> str:
    return f"{changed.ratio:.3f} ({changed.low:.3f} to {changed.high:.3f} with {changed.confidence:.1%})"


def _changed_modules(result: Result) -> Iterator[str]:
    old, new = (set(result.figures[label].modules or ()) for label in ("old", "new"))
    for title, names in (("imports now", new - old), ("imports no longer", old - new)):
        if names:
            rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            yield f"  {title}: {', '.join(sorted(names)[:_NAMED])}{rest}"


def summary(results: Sequence[Result], jobs: int) -> str:
    """Return which changes of time are significant, which are noise, and the test that decides."""
    by_verdict: dict[str, list[str]] = {"slower": [], "faster": [], "noise": []}
    repetitions = set()
    for result in results:
        if result.figures and not result.failed and (changed := change(result, jobs)):
            by_verdict[changed.verdict].append(
                result.name if changed.verdict == "noise" else f"{result.name} {_interval(changed)}"
            )
            repetitions.add(len(result.figures["old"].seconds))
    lines = [f"{verdict}: {', '.join(names) or 'none'}" for verdict, names in by_verdict.items()]
    lines += [
        "A change of time is noise unless the interval of its median ratio new/old excludes 1. The interval is that",
        f"of the sign test over the pairs of each repetition, widened by {noise.LAYOUT:.0%} for the layout of an",
        f"environment. Its confidence is such that {noise.FALSE_ALARMS:.0%} of comparisons of {jobs} jobs report",
        "a change where there is none.",
    ]
    needed = noise.repetitions_for(jobs)
    if repetitions and min(repetitions) < needed:
        lines.append(f"With fewer than {needed} repetitions, no change of time is reported for a job.")
    return "\n".join(lines)


def growths(results: Sequence[Result], percent: float) -> list[str]:
    """Return the jobs whose instructions or imported modules grew by more than some percent, a line for each."""
    lines = []
    for result in results:
        if result.failed or "old" not in result.figures:
            continue
        old, new = result.figures["old"], result.figures["new"]
        counts = {
            "instructions": (old.instructions, new.instructions),
            "imported modules": tuple(
                None if figures.modules is None else len(figures.modules) for figures in (old, new)
            ),
        }
        for what, (before, after) in counts.items():
            if before and after and after > before * (1 + percent / 100):
                lines.append(f"{result.name}: {what} grew by {after / before - 1:.1%}, from {before:,} to {after:,}")
    return lines


def disagreements(first: Sequence[Result], second: Sequence[Result]) -> list[str]:
    """Return the jobs on which two comparisons of the same revisions disagree by more than their stated noise."""
    lines = []
    counterparts = {result.name: result for result in second}
    for result in first:
        counterpart = counterparts.get(result.name)
        changes = (change(result, len(first)), change(counterpart, len(second)) if counterpart else None)
        if changes[0] and changes[1] and not changes[0].agrees(changes[1]):
            lines.append(f"{result.name}: {_interval(changes[0])} and {_interval(changes[1])}")
    return lines


def to_json(heads: dict[str, Any], results: Sequence[Result]) -> dict[str, Any]:
    """Return results as JSON, with what was measured and where."""
    return {**heads, "jobs": [asdict(result) for result in results]}


def from_json(document: dict[str, Any]) -> list[Result]:
    """Return the results that `to_json` wrote."""
    return [
        Result(**{**job, "figures": {label: Figures(**figures) for label, figures in job["figures"].items()}})
        for job in document["jobs"]
    ]

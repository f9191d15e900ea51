"""Measurement of the jobs of `benchmarks/jobs.py`, and comparison of two revisions under them.

    python -m benchmarks [measure]             the work tree against the baseline of each job
    python -m benchmarks compare REV [REV]     two revisions; the second is the work tree by default
    python -m benchmarks agree FILE FILE       whether two `--json` files of `compare` agree within their noise
    python -m benchmarks plant PERCENT [REV]   a revision and a copy that burns more time; every job must report it
    python -m benchmarks jobs                  the names and titles of the jobs

Each revision is installed in a separate environment, and everything runs in turn (old, new, baseline), so that a
machine whose speed drifts treats all alike. Times are user and system time of whole processes.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import installations, plant, processes, report, runs, timings
from benchmarks.installations import RevisionError
from benchmarks.jobs import JOBS, choose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.runs import Result

REPEAT, QUICK_REPEAT = 21, 5


def main(argv: Sequence[str] | None = None) -> int:
    """Run one of the commands.

    Returns:
        0; 1 for growth or disagreement; 2 for wrong usage; 3 for a job that failed.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help")):
        arguments.insert(0, "measure")
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except (RevisionError, ValueError) as error:
        sys.stderr.write(f"benchmarks: error: {error}\n")
        return 2
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--jobs", metavar="PATTERN", nargs="+", default=[], help="only jobs with these names (globs)")
    shared.add_argument("--repeat", metavar="N", type=_positive, help=f"repetitions (default: {REPEAT})")
    shared.add_argument("--quick", action="store_true", help=f"few jobs, {QUICK_REPEAT} repetitions by default")
    shared.add_argument("--json", metavar="FILE", type=Path, help="write the results, too")

    measure = commands.add_parser("measure", parents=[shared], help="measure the work tree")
    measure.add_argument("--write", metavar="FILE", type=Path, help=f"record the figures of the docs: {timings.PATH}")
    measure.set_defaults(run=_measure)

    compare = commands.add_parser("compare", parents=[shared], help="compare two revisions")
    compare.add_argument("old", metavar="REV")
    compare.add_argument("new", metavar="REV", nargs="?", help="default: the work tree")
    compare.add_argument(
        "--fail-on-growth", metavar="PERCENT", type=float, help="exit 1 if instructions or imported modules grow more"
    )
    compare.set_defaults(run=_compare)

    planted = commands.add_parser("plant", parents=[shared], help="plant a slowdown, and see that it is reported")
    planted.add_argument("percent", metavar="PERCENT", type=float)
    planted.add_argument("revision", metavar="REV", nargs="?", default="HEAD", help="default: HEAD")
    planted.set_defaults(run=_plant)

    agree = commands.add_parser("agree", help="compare two comparisons")
    agree.add_argument("files", nargs=2, type=Path, metavar="FILE")
    agree.set_defaults(run=_agree)

    listing = commands.add_parser("jobs", help="list the jobs")
    listing.set_defaults(run=_list)
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _measure(options: argparse.Namespace) -> int:
    results = _run([None], options)
    if options.write:
        timings.record(options.write, results, installations.date("HEAD"))
    return _code(results)


def _compare(options: argparse.Namespace) -> int:
    if not options.old:
        # `git merge-base origin/main HEAD` printed nothing
        print("no base revision: this clone has no merge base to compare with, nothing is compared")
        return 0
    old = installations.resolve(options.old)
    new = None if options.new is None else installations.resolve(options.new)
    if new is None and old == installations.resolve("HEAD") and not installations.is_changed():
        print(f"{options.old} is HEAD, and the work tree has no changes: nothing to compare")
        return 0
    results = _run([old, new], options)
    print(report.summary(results, len(results)))
    growths = [] if options.fail_on_growth is None else report.growths(results, options.fail_on_growth)
    if growths:
        print(f"\nMore than {options.fail_on_growth:g} % growth:\n  " + "\n  ".join(growths))
    return _code(results) or (1 if growths else 0)


def _plant(options: argparse.Namespace) -> int:
    commit = installations.resolve(options.revision)
    results = _run([commit, commit], options, planted=options.percent)
    print(report.summary(results, len(results)))
    missed = [result.name for result in results if result.figures and not report.is_slower(result, len(results))]
    print(f"\nnot reported as slower: {', '.join(missed) or 'none'}")
    return _code(results) or (1 if missed else 0)


def _run(commits: Sequence[str | None], options: argparse.Namespace, planted: float = 0) -> list[Result]:
    """Install and measure revisions, print each result when it is there, and write the JSON.

    Args:
        commits: the old and the new revision, or the new one alone.
        options: the command line.
        planted: per cent of processor time that the new revision burns in addition.
    """
    jobs = choose(JOBS, options.jobs, quick=options.quick)
    repeat = options.repeat or (QUICK_REPEAT if options.quick else REPEAT)
    labels = ("old", "new")[-len(commits) :]
    described = {label: installations.describe(commit) for label, commit in zip(labels, commits, strict=True)}
    for label, text in described.items():
        print(f"{label}: {text}")
    tool = processes.counter()
    print(f"Python {platform.python_version()}; instructions: {tool or 'neither perf nor valgrind counts them here'}\n")
    results = []
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        installed = installations.install(commits, Path(folder))
        if planted:
            plant.slow_down(installed[-1], planted)
        for result in runs.run(jobs, installed, repeat):
            print(report.render(result, len(jobs)), end="\n\n", flush=True)
            results.append(result)
    if options.json:
        heads = {"revisions": described, "python": platform.python_version(), "counter": tool}
        options.json.write_text(json.dumps(report.to_json(heads, results), indent=1) + "\n", encoding="utf-8")
    return results


def _code(results: Sequence[Result]) -> int:
    return 3 if any(result.failed for result in results) else 0


def _agree(options: argparse.Namespace) -> int:
    first, second = (report.from_json(json.loads(path.read_text(encoding="utf-8"))) for path in options.files)
    lines = report.disagreements(first, second)
    print("\n".join(lines) if lines else "Both comparisons agree within the noise that they state.")
    return 1 if lines else 0


def _list(options: argparse.Namespace) -> int:  # noqa: ARG001 - one signature for all commands
    width = max(len(job.name) for job in JOBS)
    for job in JOBS:
        print(f"{job.name:<{width}}  {job.title}{' (quick)' if job.is_quick else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

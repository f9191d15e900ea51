"""Mutation testing: plant small faults in a part of the package, one at a time, and print those that no test detects.

    python -m tools.mutate core --count 100 --seed 1

A part is `all`, or `core` (all but the frameworks), or a folder or file: `models`, `models/reach.py`. First all tests
run once, to record which lines each test reaches. Then each fault is planted, and the tests that reach its line run.
The work tree is never touched: everything happens in copies of its files, without those that git ignores. On an
interrupt, the results so far are printed.

To compare the tests of two revisions on the same faults, the first call writes them to a file, the second reads it:

    python -m tools.mutate all --tree OLD --faults faults.json --notes notes
    python -m tools.mutate all --faults faults.json --notes notes
"""

from __future__ import annotations

import argparse
import contextlib
import math
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import Phase, settings

from tools.mutate import stored
from tools.mutate.faults import Fault, faults
from tools.mutate.test_selection import Selector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.queues import SimpleQueue

TOP = Path(__file__).parents[2]
_fork = multiprocessing.get_context("fork")
_WAITING = 10
"""Most wall time of the tests, in multiples of their CPU time: other work may run beside them, and some wait."""
_MEMORY = 4 << 30
"""Most memory of the tests, in bytes: a fault may remove a limit of the program."""


class Trial(NamedTuple):
    """A fault, the module that it is planted in and its text without it, and the tests to be run against it."""

    path: str
    sound: str
    fault: Fault
    tests: list[str]
    patience: float
    """Seconds of CPU time after which the tests count as hanging."""


def main() -> None:
    """Plant the requested number of faults; print those that survive, and the share that tests detect."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="mutate-", ignore_cleanup_errors=True) as folder:
        copies = [_copy(options.tree, Path(folder, f"copy{number}")) for number in range(options.jobs)]
        notes = options.notes or Path(folder, "notes")
        if not any(notes.glob("seconds.*.json")):
            _record_reach(copies[0], notes, options.jobs)
        texts = _module_texts(options.tree, options.part)
        if options.faults and options.faults.is_file():
            located = list(stored.load(options.faults, texts))
            for path in (path for path, fault in located if fault is None):
                print(f"not in this tree: a fault of {path}")
            drawn = [(path, fault) for path, fault in located if fault is not None]
        else:
            drawn = _draw(texts, options.seed, options.count)
        if options.faults and not options.faults.is_file():
            stored.save(options.faults, drawn, texts)
        selector = Selector(notes, options.seconds)
        selector.keep_existing(options.tree)
        trials = _trials(drawn, texts, selector)
        verdicts: Counter[str] = Counter()
        with contextlib.suppress(KeyboardInterrupt):
            for trial, verdict in _run_trials(trials, copies):
                verdicts[verdict] += 1
                if verdict != "killed":
                    where = f"{trial.path}:{trial.fault.line}"
                    print(f"{verdict}: {where}: {trial.fault.kind}", *trial.fault.diff(trial.sound), sep="\n  ")
    share = verdicts["killed"] / max(1, verdicts["killed"] + verdicts["survived"])
    print(f"{options.part}, seed {options.seed}: {dict(verdicts)}, {share:.1%} of the conclusive ones killed")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.mutate", description=__doc__.partition("\n")[0])
    parser.add_argument("part", help="`all`, `core`, or a folder or file of the package")
    parser.add_argument("--count", type=int, default=100, help="how many faults to plant (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time (default: one a core)")
    parser.add_argument("--seconds", type=float, default=60, help="what the tests of one fault may take (default: 60)")
    parser.add_argument("--notes", type=Path, help="a folder that keeps what is noted of the tests for the next run")
    parser.add_argument("--tree", type=Path, default=TOP, help="the repository to test (default: this one)")
    parser.add_argument("--faults", type=Path, help="a file of faults: written if it is missing, otherwise read")
    return parser.parse_args()


def _copy(tree: Path, target: Path) -> Path:
    """Copy the files of a repository that git knows, or would add."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=tree, check=True, capture_output=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if (tree / name).is_file():
            shutil.copy2(tree / name, target / name)
    return target


def _record_reach(copy: Path, notes: Path, jobs: int) -> None:
    notes.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(jobs), "-p", "tools.mutate.notes"]
    subprocess.run(command, cwd=copy, env=_environment(copy, OPSPEC_LINT_NOTES=str(notes.resolve())), check=False)


def _environment(copy: Path, **more: str) -> dict[str, str]:
    """Return an environment in which the package of a copy is the one that is imported."""
    own = {"PYTHONPATH": str(copy), "XDG_CACHE_HOME": str(copy / ".cache"), "PYTHONDONTWRITEBYTECODE": "", **more}
    return os.environ | own


def _module_texts(tree: Path, part: str) -> dict[str, str]:
    """Return the modules of a part, by their paths in the repository."""
    top = tree / "opspec_lint"
    inside = top if part in ("all", "core") else top / part
    paths = [inside] if inside.is_file() else sorted(inside.rglob("*.py"))
    if part == "core":
        paths = [path for path in paths if top / "frameworks" not in path.parents]
    return {path.relative_to(tree).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def _draw(texts: dict[str, str], seed: int, count: int) -> list[tuple[str, Fault]]:
    """Draw faults at random: first the kind, so that frequent kinds do not crowd out the others, then the place."""
    kinds: dict[str, list[tuple[str, Fault]]] = defaultdict(list)
    for path, text in texts.items():
        for fault in faults(text):
            kinds[fault.kind].append((path, fault))
    chance = random.Random(seed)  # noqa: S311
    for places in kinds.values():
        chance.shuffle(places)
    return [kinds[chance.choice(sorted(kind for kind in kinds if kinds[kind]))].pop() for _ in range(count)]


def _trials(drawn: list[tuple[str, Fault]], texts: dict[str, str], selector: Selector) -> list[Trial]:
    tests = [selector.tests(path, fault.line) for path, fault in drawn]
    return [
        Trial(path, texts[path], fault, chosen, 60 + 10 * selector.seconds(chosen))
        for (path, fault), chosen in zip(drawn, tests, strict=True)
    ]


def _run_trials(trials: list[Trial], copies: list[Path]) -> Iterator[tuple[Trial, str]]:
    """Run the trials in one worker for each copy, and yield each with its verdict as soon as it ends."""
    verdicts = _fork.SimpleQueue()
    workers = [
        _fork.Process(target=_work, args=(copy, trials[number :: len(copies)], verdicts))
        for number, copy in enumerate(copies)
    ]
    for worker in workers:
        worker.start()
    try:
        yield from (verdicts.get() for _ in trials)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _work(copy: Path, trials: list[Trial], verdicts: SimpleQueue) -> None:
    for number, trial in enumerate(trials):
        module = copy / trial.path
        module.write_text(trial.fault.planted_in(trial.sound), encoding="utf-8")
        os.utime(module, (number, number))  # a .pyc of the previous fault, written in the same second, would be used
        verdicts.put((trial, _verdict(copy, trial)))
        module.write_text(trial.sound, encoding="utf-8")


def _verdict(copy: Path, trial: Trial) -> str:
    run = _fork.Process(target=_run, args=(copy, trial))
    run.start()
    run.join(trial.patience * _WAITING)
    if run.exitcode is None:
        os.killpg(run.pid, signal.SIGKILL)
        run.join()
        return "timed out"
    if run.exitcode == -signal.SIGXCPU:
        return "timed out"
    is_silent = run.exitcode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    return "survived" if is_silent else "killed"


def _run(copy: Path, trial: Trial) -> None:
    """Run the tests of a trial in a copy; exit with the exit code of pytest. In a fork, pytest is imported already."""
    os.setsid()
    os.chdir(copy)
    os.environ.update(_environment(copy))
    sys.dont_write_bytecode = False
    sys.path[:] = [str(copy), *(entry for entry in sys.path if entry not in ("", str(TOP)))]
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    patience = math.ceil(trial.patience)
    resource.setrlimit(resource.RLIMIT_CPU, (patience, patience + 1))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    # Shrinking a failing example takes long, and only the failure counts here.
    without_shrinking = [Phase.explicit, Phase.reuse, Phase.generate]
    settings.register_profile("fault", phases=without_shrinking, deadline=None, database=None, derandomize=True)
    settings.load_profile("fault")
    os._exit(
        pytest.main(["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", f"--basetemp={copy}.tmp", *trial.tests])
    )


if __name__ == "__main__":
    main()

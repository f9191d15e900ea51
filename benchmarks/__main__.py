"""Prints the ratios that the README quotes: `python -m benchmarks`.

Whole processes, each against a baseline that is measured in the same run, in turn (A B A B ...) so that a machine whose
speed drifts does both alike; medians. Nothing is asserted: a figure is for a person to judge.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data" / "paddle"
BASE, HEAD = DATA / "paddle-2.6.2.json", DATA / "paddle-3.0.0.json"
PROGRAM = [str(Path(sys.executable).with_name("opspec-lint"))]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def main() -> None:
    """Run every benchmark and print its figures."""
    print(f"Python {sys.version.split()[0]}, medians of whole processes\n")
    start()
    full_check()
    op_lists()
    growth()


def op_lists() -> None:
    """Print what `check` of two full OpLists of TensorFlow takes against only parsing the two with protobuf."""
    from opspec_lint import files
    from opspec_lint.tensorflow import oplists

    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for version in ("2.8.4", "2.12.1"):
            spec = files.read_spec(str(ROOT / "specs" / f"tensorflow-{version}.json"))
            paths.append(Path(folder, f"tf-{version}.pb"))
            paths[-1].write_bytes(oplists.dump(spec))
        parse = "from opspec_lint.tensorflow.messages import message; parse = message('OpList').FromString"
        names = ", ".join(repr(str(path)) for path in paths)
        code = f"{parse}; lists = [parse(open(file, 'rb').read()) for file in ({names},)]"
        check = [*PROGRAM, "check", *map(str, paths)]
        show("(d) check of TensorFlow OpLists 2.8.4 -> 2.12.1", check, [sys.executable, "-c", code], 21)


def full_check() -> None:
    """Print what `check` of two full specs takes against decoding the same two files."""
    check = [*PROGRAM, "check", str(BASE), str(HEAD)]
    show("(a) check of print_op_desc files 2.6.2 -> 3.0.0, text", check, decoding(BASE, HEAD), 21)
    show("    the same as JSON report", [*check, "--format", "json"], decoding(BASE, HEAD), 21)
    canonical = [ROOT / "specs" / f"paddle-{version}.json" for version in ("2.6.2", "3.0.0")]
    check = [*PROGRAM, "check", *map(str, canonical)]
    show("    canonical spec files, with op versions", check, decoding(*canonical), 21)


def growth() -> None:
    """Print how the time of `check` grows with the number of ops."""
    with tempfile.TemporaryDirectory() as folder:
        for ops in (1_000, 10_000, 100_000):
            base, head = (Path(folder, f"{file.stem}-{ops}.json") for file in (BASE, HEAD))
            for file, target in ((BASE, base), (HEAD, head)):
                # In a process of its own: a child's peak memory counts from that of the process that started it.
                command = [sys.executable, "-m", "benchmarks.repeat", str(file), str(ops), str(target)]
                subprocess.run(command, cwd=ROOT, check=True)
            check = [*PROGRAM, "check", str(base), str(head)]
            show(f"(b) check of {ops:,} ops", check, decoding(base, head), 5 if ops < 100_000 else 3)


def start() -> None:
    """Print what the start of the program takes."""
    show("(c) opspec-lint --version", [*PROGRAM, "--version"], [sys.executable, "-c", "import argparse"], 41)


def decoding(*files: Path) -> list[str]:
    """Return the baseline: a Python that decodes some files and does nothing else."""
    names = ", ".join(repr(str(file)) for file in files)
    return [sys.executable, "-c", f"import json; specs = [json.loads(open(file).read()) for file in ({names},)]"]


def show(title: str, command: list[str], baseline: list[str], runs: int) -> None:
    """Measure a command against its baseline, and print both medians, their ratio and the peak memory."""
    times: list[tuple[float, float]] = []
    memory = 0
    for run in range(runs + 1):
        ours, peak = measure(command)
        theirs, _ = measure(baseline)
        if run:  # the first one fills the caches
            times.append((ours, theirs))
            memory = max(memory, peak)
    ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(a / b for a, b in times)
    figures = f"{ours * 1e3:8.1f} ms, baseline {theirs * 1e3:8.1f} ms, {ratio:5.2f} times, {memory / 1024:6.1f} MB"
    print(f"{title:<54} {figures}")


def measure(command: list[str]) -> tuple[float, int]:
    """Return the seconds a process takes and its peak memory in KiB.

    Raises:
        RuntimeError: the process failed.
    """
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return seconds, usage.ru_maxrss


if __name__ == "__main__":
    main()

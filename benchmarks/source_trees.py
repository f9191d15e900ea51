"""Prints what reading a Paddle tree takes: `python -m benchmarks.source_trees REPOSITORY`.

On one core, whole processes, medians, each against a baseline that is measured in turn with it. Cold, with no cache,
against git alone that streams every source of the revision to nowhere; and `check` of a commit that changes one file,
with its parent in the cache and itself not, against an empty Python.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.__main__ import ENVIRONMENT, PROGRAM, ROOT, measure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

REVISION, ONE_FILE = "b3d4ce374f", "a348a423ce"
"""Of Paddle: the cut of release 2.6, and a commit that changes one op."""
SOURCES = (".cc", ".h", ".yaml", ".proto", "CMakeLists.txt")


def main(tree: str) -> None:
    """Run every benchmark and print its figures."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        kept, fresh, names = (Path(folder, name) for name in ("kept", "fresh", "names"))
        ENVIRONMENT["XDG_CACHE_HOME"] = str(kept)
        streaming = baseline(tree, names)
        for build in ("all", "cpu"):
            cold = [*PROGRAM, "extract", f"paddle-source:{tree}@{REVISION}", "--build", build, "--no-cache"]
            show(f"(d) extract of {REVISION}, build {build}, no cache", cold, streaming, 9)
        parent, commit = (f"paddle-source:{tree}@{each}" for each in (f"{ONE_FILE}~1", ONE_FILE))
        measure([*PROGRAM, "extract", parent], ROOT)
        ENVIRONMENT["XDG_CACHE_HOME"] = str(fresh)

        def refresh() -> None:
            shutil.rmtree(fresh, ignore_errors=True)
            shutil.copytree(kept, fresh)

        check = [*PROGRAM, "check", parent, commit]
        show(
            "(e) check of a commit of one file, parent in the cache", check, [sys.executable, "-c", "pass"], 15, refresh
        )


def baseline(tree: str, names: Path) -> list[str]:
    """Return a git that writes every source below paddle/ of the revision, and nothing else."""
    command = ["git", "-C", tree, "ls-tree", "-r", REVISION, "--", "paddle/"]
    listing = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    blobs = [line.split()[2] for line in listing.splitlines() if line.endswith(SOURCES)]
    names.write_text("\n".join(blobs) + "\n")
    return ["sh", "-c", f"git -C '{tree}' cat-file --batch < '{names}' > /dev/null"]


def show(title: str, command: list[str], other: list[str], runs: int, before: Callable[[], None] | None = None) -> None:
    """Measure a command against its baseline, and print both medians, their ratio and the peak memory."""
    times: list[tuple[float, float]] = []
    memory = 0
    for run in range(runs + 1):
        if before is not None:
            before()
        ours, peak = measure(command, ROOT)
        theirs, _ = measure(other, ROOT)
        if run:  # the first one fills the caches
            times.append((ours, theirs))
            memory = max(memory, peak)
    ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(a / b for a, b in times)
    figures = f"{ours * 1e3:8.1f} ms, baseline {theirs * 1e3:8.1f} ms, {ratio:5.2f} times, {memory / 1024:6.1f} MB"
    print(f"{title:<54} {figures}")


if __name__ == "__main__":
    main(sys.argv[1])

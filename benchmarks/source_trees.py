"""Prints what reading a Paddle tree takes: `python -m benchmarks.source_trees REPOSITORY`.

On one core, processor time of whole processes, medians, each against a baseline that is measured in turn with it. Cold,
with no cache, against git alone that streams every source of the revision to nowhere; `check` of a commit, with its
parent in the cache and itself not, against an empty Python; and `check` of the last commits of a branch one by one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

from benchmarks.measure import ENVIRONMENT, PROGRAM, ROOT, measure, show

REVISION = "b3d4ce374f"
"""Of Paddle, the cut of release 2.6."""
COMMITS = {
    "one op in C++, 2023": "a348a423ce",
    "one op in C++, 2024": "56d4e923d2",
    "op_compat.yaml": "91c727b82a",
    "ops.yaml": "1506726441",
}
"""Commits of Paddle, by what they change."""
TIP, HISTORY = "8f96a48d56", 100
"""A commit, and how many are checked up to it."""
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
        for title, commit in COMMITS.items():
            shutil.rmtree(kept, ignore_errors=True)
            ENVIRONMENT["XDG_CACHE_HOME"] = str(kept)
            measure(check(tree, f"{commit}~2", f"{commit}~1"), ROOT)
            ENVIRONMENT["XDG_CACHE_HOME"] = str(fresh)

            def refresh() -> None:
                shutil.rmtree(fresh, ignore_errors=True)
                shutil.copytree(kept, fresh)

            show(f"(e) check of a commit: {title}", check(tree, f"{commit}~1", commit), EMPTY, 9, before=refresh)
        history(tree, fresh)


EMPTY = [sys.executable, "-c", "pass"]


def check(tree: str, base: str, head: str) -> list[str]:
    """Return the command that checks a revision against another."""
    return [*PROGRAM, "check", *(f"paddle-source:{tree}@{each}" for each in (base, head))]


def history(tree: str, cache: Path) -> None:
    """Print what `check` of each of the last commits takes, one after the other, with what the ones before left."""
    shutil.rmtree(cache, ignore_errors=True)
    command = ["git", "-C", tree, "rev-list", "--first-parent", f"--max-count={HISTORY + 2}", TIP]
    first, *commits = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()[::-1]
    measure(check(tree, first, commits[0]), ROOT)
    times = [(measure(check(tree, *pair), ROOT)[0], measure(EMPTY, ROOT)[0]) for pair in pairwise(commits)]
    ours, theirs = (sum(column) for column in zip(*times, strict=True))
    print(f"(f) check of {HISTORY} commits up to {TIP}: {ours:.1f} s, {ours / theirs:.1f} times")


def baseline(tree: str, names: Path) -> list[str]:
    """Return a git that writes every source below paddle/ of the revision, and nothing else."""
    command = ["git", "-C", tree, "ls-tree", "-r", REVISION, "--", "paddle/"]
    listing = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    blobs = [line.split()[2] for line in listing.splitlines() if line.endswith(SOURCES)]
    names.write_text("\n".join(blobs) + "\n")
    return ["sh", "-c", f"git -C '{tree}' cat-file --batch < '{names}' > /dev/null"]


if __name__ == "__main__":
    main(sys.argv[1])

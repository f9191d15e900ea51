"""Growth of cost with the size of the input: each command runs on a small input, and on a tenfold input.

    python -m benchmarks.growth [DIMENSION ...]

The cost is user and system time less the time of `--version`, the best of some runs. Linear cost grows tenfold, and
quadratic cost a hundredfold; the exit code is 1 if any grows more than `LIMIT`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks import data, processes

TENFOLD = 10
LIMIT = 14.0
"""The greatest growth that passes: sorting, and caches of the processor that a large input exceeds, add to tenfold."""
REPEAT = 3


@dataclass(frozen=True)
class Dimension:
    """A size of the input: `data.KINDS` makes an input of a size, and a command reads it.

    `command` may contain `{data}`, the folder of the input, and `{fresh}`, a file that does not exist. With `repeated`,
    the input is the same for all sizes, and the command is followed by that many of these arguments.
    """

    name: str
    small: int
    kind: tuple[str, ...]
    command: str
    folder: str = "{data}"
    repeated: tuple[str, ...] = ()


_AUDIT = "audit {data}/models --results {fresh} --jobs 1 --against tensorflow@2.15.1"
_RELEASES = tuple(f"--against=tensorflow@2.{minor}" for minor in range(1, 21))
DIMENSIONS = (
    Dimension("ops", 2_000, ("repeated",), "check {data}/base.json {data}/copy.json"),
    Dimension("findings", 2_000, ("repeated",), "check {data}/base.json {data}/head.json"),
    Dimension("files", 30, ("spec_files",), "check --staged", folder="{data}/top"),
    Dimension("nodes", 20_000, ("graph", "many_nodes"), "audit {data}/graph.pb --against tensorflow@2.15.1"),
    Dimension("models", 20, ("models",), _AUDIT),
    Dimension("revisions", 15, ("versions",), "history --jobs 1 specs/ops.json --output {fresh}", folder="{data}/top"),
    Dimension("releases", 2, ("graph", "many_nodes", "1000"), "audit {data}/graph.pb", repeated=_RELEASES),
)


def main() -> int:
    """Measure some dimensions, all by default, and print the growth of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "dimensions", nargs="*", metavar="DIMENSION", help=", ".join(dimension.name for dimension in DIMENSIONS)
    )
    chosen = parser.parse_args().dimensions
    unknown = set(chosen).difference(dimension.name for dimension in DIMENSIONS)
    if unknown:
        parser.error(f"unknown dimension {', '.join(sorted(unknown))}")
    start = _cost(("--version",), os.curdir)
    print("dimension    small      large    seconds          growth")
    failed = False
    for dimension in DIMENSIONS:
        if chosen and dimension.name not in chosen:
            continue
        sizes = dimension.small, TENFOLD * dimension.small
        small, large = (_measure(dimension, size) - start for size in sizes)
        failed |= large / small > LIMIT
        print(
            f"{dimension.name:<10}{sizes[0]:>8}{sizes[1]:>11}   {small:6.2f} {large:7.2f}{large / small:12.1f}",
            flush=True,
        )
    return 1 if failed else 0


def _measure(dimension: Dimension, size: int) -> float:
    """Return the cost of the command of a dimension on an input of a size."""
    with tempfile.TemporaryDirectory(prefix="growth-") as folder:
        sized = () if dimension.repeated else (str(size),)
        made = [sys.executable, "-m", "benchmarks.data", folder, *dimension.kind, *sized]
        subprocess.run(made, cwd=data.ROOT, check=True)
        places = {"data": folder, "fresh": str(Path(folder, "fresh.sqlite"))}
        arguments = (*dimension.command.format(**places).split(), *dimension.repeated[:size])
        return _cost(arguments, dimension.folder.format(**places), places["fresh"])


def _cost(arguments: tuple[str, ...], folder: str, fresh: str = "") -> float:
    """Return the user and system time of a command, the best of some runs, each without what the last one wrote."""
    costs = []
    for _ in range(REPEAT):
        if fresh:
            Path(fresh).unlink(missing_ok=True)
        environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(folder, "no cache")}
        costs.append(processes.measure(("opspec-lint", *arguments), folder, environment).seconds)
    return min(costs)


if __name__ == "__main__":
    raise SystemExit(main())

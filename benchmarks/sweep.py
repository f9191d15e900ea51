"""Sweep over many revisions of a Paddle repository, with a table of the ops read from each.

    python -m benchmarks.sweep REPOSITORY [--range A..B] [--since DATE] [--until DATE] [--count N] [--build BUILD]

The revisions are spread evenly over the commits that touch op sources. Each row has the number of ops, of unresolved
ops, and the seconds. At the end: the share of unresolved ops, and each op that one revision lacks and both its
neighbours have.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
import traceback

from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES

FOLDERS = ("paddle/fluid/operators", "paddle/operators", "paddle/phi/api/yaml", "paddle/phi/ops/yaml")


def main() -> int:
    """Run the sweep; the exit code is 1 if a revision could not be read at all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("--range", default="HEAD")
    parser.add_argument("--since", default="2018-01-01")
    parser.add_argument("--until", default="2099-01-01")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--build", default="cpu")
    options = parser.parse_args()
    seen: list[tuple[str, str, frozenset[str], frozenset[str]]] = []
    crashed = 0
    print("revision    date        ops  unresolved  seconds")
    for revision, date in revisions(options):
        start = time.perf_counter()
        reading = Reading(environment=dict(os.environ), build=options.build)
        try:
            spec = SOURCES.load("paddle-source").spec(f"{options.repository}@{revision}", reading)
        except Exception as error:  # a sweep goes on, and says what happened
            crashed += 1
            print(f"{revision[:10]}  {date}  FAILED: {type(error).__name__}: {error}", flush=True)
            traceback.print_exc(file=sys.stderr)
            continue
        unresolved = {remark.name: remark for remark in spec.remarks if remark.event == "op_unresolved"}
        took = time.perf_counter() - start
        print(f"{revision[:10]}  {date}  {len(spec.ops):5}  {len(unresolved):10}  {took:7.2f}", flush=True)
        for name, remark in unresolved.items():
            place = f"{remark.origin.file}:{remark.origin.line}" if remark.origin else "?"
            print(f"            {name}: {remark.facts['reason']} ({place})")
        seen.append((revision, date, frozenset(spec.ops), frozenset(unresolved)))
    summary(seen, crashed)
    return 1 if crashed else 0


def revisions(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the selected revisions, oldest first, each with its date."""
    command = ["git", "-C", options.repository, "log", "--reverse", "--first-parent", "--date=short", "--format=%H %cd"]
    bounds = [f"--since={options.since}", f"--until={options.until}", options.range]
    log = subprocess.run([*command, *bounds, "--", *FOLDERS], capture_output=True, check=True, text=True)
    every = [tuple(line.split(" ", 1)) for line in log.stdout.splitlines()]
    count = min(options.count, len(every))
    return [every[index * (len(every) - 1) // max(count - 1, 1)] for index in range(count)]


def summary(seen: list[tuple[str, str, frozenset[str], frozenset[str]]], crashed: int) -> None:
    """Print the sums, and the ops that vanished and came back."""
    late = [row for row in seen if row[1] >= "2020"]
    for label, group in (("all revisions", seen), ("after 2019", late)):
        ops, unresolved = sum(len(row[2]) for row in group), sum(len(row[3]) for row in group)
        share = unresolved / (ops + unresolved) if ops else 0.0
        print(f"{label}: {len(group)} revisions, {ops} ops, {unresolved} unresolved ({share:.4%})")
    print(f"{crashed} revisions could not be read")
    for before, here, after in zip(seen, seen[1:], seen[2:], strict=False):
        for name in sorted((before[2] & after[2]) - here[2]):
            print(f"{name} is in {before[0][:10]} and {after[0][:10]}, and not in {here[0][:10]} ({here[1]})")


if __name__ == "__main__":
    raise SystemExit(main())

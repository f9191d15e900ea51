"""Tests that no lane of CI ran, and the skips that are expected."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EXPECTED = Path(__file__).with_name("expected_skips.toml")
DESELECTED = "deselected in every lane"


class Skip(NamedTuple):
    """A test function or file with cases that no lane ran, and the reason."""

    test: str
    reason: str


class Lanes(NamedTuple):
    """Results of all lanes: ids of the tests that some lane ran, and of those that lanes skipped, with the reason."""

    ran: frozenset[str]
    skipped: dict[str, str]
    failed: tuple[str, ...] = ()
    """Names of lanes that failed; the last one is not among them."""


class Verdict(NamedTuple):
    """Skips of a whole run, with the number of cases, and the problems among them."""

    skips: Counter[Skip]
    problems: list[str]


def write(folder: Path, lane: str, ran: set[str], skipped: dict[str, str]) -> None:
    """Write which tests a lane ran, and which it skipped."""
    text = json.dumps({"ran": sorted(ran), "skipped": skipped}, indent=1)
    (folder / f"{lane}.json").write_text(text, encoding="utf-8")


def read(folder: Path) -> Lanes:
    """Return the results of all lanes.

    A lane that was skipped as a whole has left its reason in `LANE.skipped`, and `.ci/run` leaves a file `LANE.failed`.
    """
    ran, skipped = set(), {}
    for file in sorted(folder.glob("*.json")):
        written = json.loads(file.read_text(encoding="utf-8"))
        ran.update(written["ran"])
        for test, reason in written["skipped"].items():
            # Another lane's reason says more than that the test was not meant to run in this one.
            if skipped.get(test, DESELECTED) == DESELECTED:
                skipped[test] = reason
    for file in sorted(folder.glob("*.skipped")):
        skipped[f".ci/lanes/{file.stem}"] = file.read_text(encoding="utf-8").strip()
    return Lanes(frozenset(ran), skipped, tuple(sorted(file.stem for file in folder.glob("*.failed"))))


def expected() -> frozenset[Skip]:
    """Return the skips that `expected_skips.toml` lists."""
    entries: list[dict[str, Any]] = tomllib.loads(EXPECTED.read_text(encoding="utf-8"))["skip"]
    return frozenset(Skip(test, entry["reason"]) for entry in entries for test in entry["tests"])


def judge(lanes: Lanes, allowed: frozenset[Skip]) -> Verdict:
    """Return the skips of tests that no lane ran; problems are unexpected ones, and all else that fails the run."""
    files = {_file(test) for test in lanes.ran}
    # A file that is skipped while it is collected has no ids of tests: any test of it that ran counts.
    missed = {test: reason for test, reason in lanes.skipped.items() if test not in lanes.ran and test not in files}
    skips = Counter(Skip(_function(test), reason) for test, reason in missed.items())
    unexpected = [
        skip for skip in sorted(skips) if skip not in allowed and Skip(_file(skip.test), skip.reason) not in allowed
    ]
    known = {name for test in (*lanes.ran, *lanes.skipped) for name in (_file(test), _function(test))}
    stale = sorted({skip.test for skip in allowed if skip.test not in known and not skip.test.startswith(".ci/")})
    problems = [
        *(f"unexpected skip: {skip.test}: {skip.reason}" for skip in unexpected),
        *(f"expected_skips.toml: there is no test {test}" for test in stale),
        *(f"lane {lane} failed" for lane in lanes.failed),
    ]
    return Verdict(skips, problems)


def _file(test: str) -> str:
    return test.partition("::")[0]


def _function(test: str) -> str:
    return test.partition("[")[0]

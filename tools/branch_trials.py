"""Trial of `check --base` on old branches of real repositories: `python -m tools.branch_trials`.

It takes clones or mirrors of Paddle, ONNX and LiteRT: their folders are in OPSPEC_LINT_PADDLE_TREE,
OPSPEC_LINT_ONNX_TREE and OPSPEC_LINT_LITERT_TREE, and a project without one is left out. A branch is a random commit of
the first parents, one to eighteen months older than the tip, with one edit on top that breaks an op. Its check against
the tip has to find what a check against the commit itself finds: the branch changed nothing that the tip changed since.
A row is printed for each branch; the exit code is 1 if the findings of one differ.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from opspec_lint.kit.record import Record
from tools.fix_trials.breaks import BREAKS, changed_number, replaced, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    Edit: TypeAlias = Callable[[str, random.Random], str | None]
    """An edit of a text, which returns the new text, or None if it has no place for it."""

_MONTH = 30 * 24 * 3600
_AGES = range(1, 19)
"""Months between a commit and the tip."""
_TRIES = 40
"""Edits that are tried until one breaks an op."""


class Project(Record):
    """A project: the variable with its folder, the patterns of its files that declare ops, each with its edits."""

    variable: str
    edits: Mapping[str, tuple[Edit, ...]]


class Branch(Record):
    """An old commit, and one with an edit on top."""

    start: str
    head: str
    file: str


def _of_language(language: str) -> tuple[Edit, ...]:
    return tuple(broken.make for broken in BREAKS.values() if broken.language == language)


_CALL = r"(?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\([^()]*\))*\))*"
PROJECTS: Mapping[str, Project] = {
    "paddle": Project(
        variable="OPSPEC_LINT_PADDLE_TREE",
        edits={
            r"paddle/fluid/operators/(?:.*/)?\w+_op\.cc": _of_language("cpp"),
            r"paddle/phi/(?:api|ops)/yaml/ops\.yaml": _of_language("yaml"),
        },
    ),
    "onnx": Project(
        variable="OPSPEC_LINT_ONNX_TREE",
        edits={
            r"onnx/defs/.*/(?:defs|old)\.cc": (
                without(re.compile(rf"^\s*\.Attr\(\s*\"\w+\",{_CALL}\)", re.M)),
                without(re.compile(rf"^\s*\.Input\(\s*\d+,{_CALL}\)", re.M)),
                replaced(re.compile(r"(?<=static_cast<int64_t>\()\d+(?=\)\))"), changed_number),
            ),
        },
    ),
    "litert": Project(
        variable="OPSPEC_LINT_LITERT_TREE",
        edits={
            r"tflite/(?:converter/)?schema/schema\.fbs": _of_language("fbs"),
            r"tflite/(?:core/)?kernels/register\.cc": (
                replaced(re.compile(r"(?<=max_version = \*/ )[2-9]"), lambda version: str(int(version) - 1)),
                without(re.compile(r"^  AddBuiltin\(BuiltinOperator_\w+,[^;]*;\n", re.M)),
            ),
        },
    ),
}


def main() -> int:
    """Try the branches, print a row for each and the totals, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.branch_trials", description=(__doc__ or "").partition(":")[0]
    )
    parser.add_argument("--count", type=int, default=20, help="how many branches of all together (default: 20)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    options = parser.parse_args()
    folders = {name: os.environ.get(project.variable, "") for name, project in PROJECTS.items()}
    present = [name for name, folder in folders.items() if folder]
    if not present:
        parser.error(f"none of these variables is set: {', '.join(project.variable for project in PROJECTS.values())}")
    equal, count = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(present):
            clone = Path(folder, name)
            _git(Path(folder), "clone", "--quiet", "--shared", "--no-checkout", os.path.abspath(folders[name]), name)
            for place in range(number, options.count, len(present)):
                seeded = random.Random(f"{options.seed} {name} {place}")  # noqa: S311 - only which branch
                row, is_equal = _try_branch(clone, PROJECTS[name], seeded)
                sys.stdout.write(f"{name:7} {row}\n")
                sys.stdout.flush()
                equal, count = equal + is_equal, count + 1
    sys.stdout.write(f"{count} branches: {equal} with the findings of the branch alone\n")
    return 0 if equal == count else 1


def _try_branch(clone: Path, project: Project, seeded: random.Random) -> tuple[str, bool]:
    """Return the row of a branch, and whether both checks have the same findings."""
    tip = _git(clone, "rev-parse", "HEAD").strip()
    start = _old_commit(clone, seeded)
    for branch in _branches(clone, start, project, seeded):
        alone = _findings(clone, "--base", branch.start, "--exact", "--head", branch.head)
        if not any(level == "error" for level, *_ in alone):
            continue  # an edit of a test, or of a class that no op has
        against_tip = _findings(clone, "--base", tip, "--head", branch.head)
        behind = _git(clone, "rev-list", "--count", "--first-parent", f"{start}..{tip}").strip()
        differences = sorted(set(against_tip) ^ set(alone), key=str)
        verdict = "equal" if against_tip == alone else f"differ: {differences[:5]}"
        errors = sum(level == "error" for level, *_ in alone)
        counts = f"{len(alone)} findings ({errors} errors)"
        return f"{start[:10]} {behind:>5} behind, {counts}: {verdict}  {branch.file}", against_tip == alone
    return f"{start[:10]} no edit breaks an op", False


def _old_commit(clone: Path, seeded: random.Random) -> str:
    """Return a random commit of the first parents of HEAD."""
    last = int(_git(clone, "log", "-1", "--format=%ct", "HEAD"))
    time = last - seeded.choice(_AGES) * _MONTH - seeded.randrange(_MONTH)
    return _git(clone, "rev-list", "-1", "--first-parent", f"--before={time}", "HEAD").strip()


def _branches(clone: Path, start: str, project: Project, seeded: random.Random) -> Iterator[Branch]:
    """Yield branches from a commit, each with another edit."""
    paths = _git(clone, "ls-tree", "-r", "--name-only", start).splitlines()
    places = {}
    for pattern, edits in project.edits.items():
        files = [path for path in paths if re.fullmatch(pattern, path)]
        if files:
            places[pattern] = files, edits
    for _ in range(_TRIES if places else 0):
        files, edits = places[seeded.choice(list(places))]
        path, edit = seeded.choice(files), seeded.choice(edits)
        text = edit(_git(clone, "show", f"{start}:{path}"), seeded)
        if text is not None:
            yield Branch(start=start, head=_commit(clone, start, path, text), file=path)


def _commit(clone: Path, start: str, path: str, text: str) -> str:
    """Commit one changed file on top of a commit, without a work tree, and return the id."""
    with tempfile.TemporaryDirectory() as folder:
        index = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        blob = _git(clone, "hash-object", "-w", "--stdin", given=text).strip()
        _git(clone, "read-tree", start, **index)
        _git(clone, "update-index", "--cacheinfo", f"100644,{blob},{path}", **index)
        tree = _git(clone, "write-tree", **index).strip()
    author = {f"GIT_{role}_{name}": "a@b" for role in ("AUTHOR", "COMMITTER") for name in ("NAME", "EMAIL")}
    return _git(clone, "commit-tree", tree, "-p", start, "-m", "An edit", **author).strip()


def _findings(clone: Path, *arguments: str) -> list[tuple[str | None, ...]]:
    """Return the level, rule, op, name and message of each finding of a check."""
    command = [sys.executable, "-m", "opspec_lint", "check", "--format", "json", *arguments]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    findings = json.loads(done.stdout)["findings"]
    keys = ("level", "rule", "op", "name", "message")
    rows = (tuple(finding[key] for key in keys) for finding in findings)
    return sorted(rows, key=str)


def _git(folder: Path, *arguments: str, given: str | None = None, **environment: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(
        command,
        input=given,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=True,
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())

"""Trial of the fixes on typical breaks in real trees of Paddle: `python -m tools.fix_trials REPOSITORY`.

With `--schema REPOSITORY`, a clone or mirror of LiteRT, its present schema is broken as well.
In the trees of October 2020 to 2024 it breaks one op at a time as contributors do (`breaks.py`), runs
`opspec-lint check --base HEAD --fix=unsafe`, and prints a row for each break:

- fixed: the check of the repaired tree has no error;
- left: errors are left, and the file is valid;
- damaged: the repaired file is worse than the file of base: `g++ -fsyntax-only` reports more errors in the maker of the
  op or in the registered versions (`syntax.py`), or the YAML file cannot be loaded, or the check ends with neither 0
  nor 1.

The exit code is 1 if anything was damaged.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from opspec_lint.kit.record import Record
from tools.fix_trials.breaks import BREAKS
from tools.fix_trials.syntax import is_worse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.fix_trials.breaks import Break

YEARS = (2020, 2021, 2022, 2023, 2024)
_FILES = {
    "cpp": ("paddle/fluid/operators/**/*_op.cc", "paddle/fluid/operators/*_op.cc"),
    "yaml": ("paddle/phi/ops/yaml/ops.yaml", "paddle/phi/api/yaml/ops.yaml"),
    "compat": ("paddle/phi/ops/yaml/op_compat.yaml", "paddle/phi/api/yaml/op_compat.yaml"),
    "fbs": ("t*/**/schema/schema.fbs",),
}
_FOLDERS = ("paddle", "cmake"), ("tflite", "tensorflow")
"""The folders of Paddle, and of LiteRT, that contracts are in."""
_TRIES = 60
"""Files in which a place for a break is looked for."""


class Trial(Record):
    """One break, its file, and its outcome."""

    year: int
    kind: str
    file: str
    outcome: str
    errors: tuple[str, ...]


def main() -> int:
    """Run the trials, print a row for each and the totals, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.fix_trials", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("repository", type=Path, help="a clone or mirror of Paddle")
    parser.add_argument("--count", type=int, default=60, help="how many breaks (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (default: 1)")
    parser.add_argument("--schema", type=Path, help="a clone or mirror of LiteRT")
    options = parser.parse_args()
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        schemas = None if options.schema is None else options.schema.resolve()
        repositories = options.repository.resolve(), schemas
        for trial in _trials(repositories, Path(folder), options.count, options.seed):
            outcomes[trial.outcome] += 1
            row = f"{trial.year}  {trial.kind:22} {trial.outcome:8} {trial.file}  {', '.join(trial.errors)}\n"
            sys.stdout.write(row)
            sys.stdout.flush()
    sys.stdout.write(f"{outcomes.total()} breaks: {', '.join(f'{count} {name}' for name, count in outcomes.items())}\n")
    return 1 if outcomes["damaged"] else 0


def _trials(repositories: tuple[Path, Path | None], folder: Path, count: int, seed: int) -> Iterator[Trial]:
    """Yield the trials, year by year, with each kind of break in turn."""
    for number, year in enumerate(YEARS):
        trees = []
        for repository, folders in zip(repositories, _FOLDERS, strict=True):
            if repository is not None:
                # LiteRT is younger than these years.
                revision = _revision(repository, year) if folders == _FOLDERS[0] else "HEAD"
                trees.append(folder / f"{year}-{folders[0]}")
                _check_out(repository, revision, trees[-1], folders)
        kinds = [(kind, tree) for kind, broken in BREAKS.items() for tree in trees if _files(tree, broken)]
        own = range(number * count // len(YEARS), (number + 1) * count // len(YEARS))
        for place in own:
            kind, tree = kinds[place % len(kinds)]
            trial = _trial(tree, year, kind, random.Random(f"{seed} {year} {place}"))  # noqa: S311 - only which op
            if trial is not None:
                yield trial


def _revision(repository: Path, year: int) -> str:
    """Return the last commit before October of a year."""
    return _git(repository, "rev-list", "-1", f"--before={year}-10-01", "HEAD").strip()


def _check_out(repository: Path, revision: str, tree: Path, folders: tuple[str, ...]) -> None:
    """Check out a commit without the files that no contract is in."""
    _git(repository.parent, "clone", "--quiet", "--shared", "--no-checkout", str(repository), str(tree))
    _git(tree, "sparse-checkout", "set", *folders)
    _git(tree, "checkout", "--quiet", "-b", "trial", revision)


def _files(tree: Path, broken: Break) -> list[Path]:
    return sorted({file for glob in _FILES[broken.language] for file in tree.glob(glob)})


def _trial(tree: Path, year: int, kind: str, seeded: random.Random) -> Trial | None:
    """Break an op, let the check fix it, and restore the tree. None if no file has a place for the break."""
    files = _files(tree, BREAKS[kind])
    for _ in range(_TRIES):
        file = seeded.choice(files)
        text = file.read_text(encoding="utf-8", errors="replace")
        broken = BREAKS[kind].make(text, seeded)
        if broken is None:
            continue
        file.write_text(broken, encoding="utf-8")
        try:
            errors = _errors(tree, file, kind)
            if not errors:
                continue  # the class is no maker of a registered op, or its file is in no build
            code = _run(tree, file, kind, "--fix=unsafe").returncode
            repaired = file.read_text(encoding="utf-8")
            left = _errors(tree, file, kind)
            if code > 1 or is_worse(text, repaired, BREAKS[kind].language):
                outcome = "damaged"
            else:
                outcome = "left" if left else "fixed"
            return Trial(year=year, kind=kind, file=str(file.relative_to(tree)), outcome=outcome, errors=left or errors)
        finally:
            _git(tree, "checkout", "--quiet", "--", ".")
    return None


def _errors(tree: Path, file: Path, kind: str) -> tuple[str, ...]:
    """Return the rules and ops of the errors that the check of the work tree reports."""
    report = json.loads(_run(tree, file, kind, "--format", "json").stdout)
    return tuple(
        sorted(f"{finding['rule']} {finding['op']}" for finding in report["findings"] if finding["level"] == "error")
    )


def _run(tree: Path, file: Path, kind: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = file.relative_to(tree).as_posix()
    subject = [f"HEAD:{path}", path] if file.suffix == ".fbs" else ["paddle-source:.", "--base", "HEAD"]
    profile = BREAKS[kind].profile
    # A tree of Paddle has contracts that the profile does not judge.
    options = [] if profile is None else [f"--profile=paddle-source:.={profile}"]
    command = [sys.executable, "-m", "opspec_lint", "check", *subject, *options, *arguments]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main())

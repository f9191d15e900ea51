"""Comparison of audit verdicts with real loaders on models of public repositories: `python -m tools.public_models`.

    python -m tools.public_models FOLDER --collect REPOSITORY... --collect REPOSITORY@REVISION
    python -m tools.public_models FOLDER --verify PYTHON --verify PYTHON

`--collect` copies the models of git repositories, bare ones too, to `FOLDER/models/NAME/`: each content once, no
pointer of git-lfs, and a SavedModel with its variables and assets. `--verify` runs `audit --verify` over them all
for each interpreter, and keeps its JSON in `FOLDER/verified/`. It prints the counts of each loader, and each model
whose verdict is wrong or unknown, with the reasons of both sides. The exit code is 1 if more than 0.5 % of the verdicts
of a loader are wrong, or more than 3 % unknown.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path, PurePosixPath

from opspec_lint.kit.lfs_pointer import START
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Any

ENDINGS = (".tflite", ".lite", ".tfl", ".onnx", ".pb", ".pdmodel", ".pt2")
SAVED_MODELS = ("saved_model.pb", "saved_model.pbtxt")
TENSORS = "test_data_set_"
"""The folders in which ONNX's tests have the tensors of a model, each a `.pb` file."""
MOST_WRONG, MOST_UNKNOWN = 0.005, 0.03


class StoredFile(Record):
    """A file of a revision: its path in the repository, and the id of its content."""

    path: str
    blob: str


def main() -> int:
    """Collect and verify models as the options say, and return the exit code."""
    options = _options()
    folder = Path(options.folder)
    for text in options.collect:
        repository, _, revision = text.partition("@")
        print(f"{text}: {_collect(folder, Path(repository), revision or 'HEAD')} models")
    status = 0
    for python in options.verify:
        rows = verified(folder, python)
        by_loader = defaultdict(list)
        for row in rows:
            by_loader[row["release"], row["loader"]].append(row)
        for (release, loader), judged in sorted(by_loader.items()):
            status |= report(f"{release} ({loader})", judged)
    return status


def _collect(folder: Path, repository: Path, revision: str) -> int:
    """Copy the models of a revision, and return how many there are with a content that no other has."""
    listing = folder / "models.json"
    known: dict[str, str] = json.loads(listing.read_text(encoding="utf-8")) if listing.exists() else {}
    name = repository.parent.name if repository.name in ("repo", ".git") else repository.stem
    count = 0
    for files in _models(_list_files(repository, revision)):
        main_file = files[0]
        if main_file.blob in known:
            continue
        contents = {file.path: _content(repository, file.blob) for file in files}
        first = contents[main_file.path]
        if first is None or first.startswith(START):
            continue
        known[main_file.blob] = f"{name}/{main_file.path}"
        for path, data in contents.items():
            if data is not None:
                target = folder / "models" / name / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
        count += 1
    folder.mkdir(parents=True, exist_ok=True)
    listing.write_text(json.dumps(known, indent=0), encoding="utf-8")
    return count


def _list_files(repository: Path, revision: str) -> list[StoredFile]:
    command = ["git", "-C", str(repository), "ls-tree", "-r", "-z", revision]
    entries = subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8", "surrogateescape")
    fields = (entry.partition("\t") for entry in entries.split("\0") if entry.startswith("100"))
    return [StoredFile(path=path, blob=facts.split()[2]) for facts, _, path in fields]


def _models(files: Collection[StoredFile]) -> Iterator[list[StoredFile]]:
    """Yield the files of each model, the one that names it first."""
    folders = {}
    for file in files:
        path = PurePosixPath(file.path)
        if path.name in SAVED_MODELS:
            folders[path.parent] = file
    below = defaultdict(list)
    for file in files:
        for parent in PurePosixPath(file.path).parents:
            if parent in folders:
                below[parent].append(file)
                break
        else:
            if file.path.endswith(ENDINGS) and TENSORS not in file.path:
                yield [file]
    for parent, main_file in folders.items():
        yield [main_file, *(file for file in below[parent] if file != main_file)]


def _content(repository: Path, blob: str) -> bytes | None:
    """Return the bytes of a file; None if a partial clone lacks it."""
    command = ["git", "-C", str(repository), "cat-file", "blob", blob]
    # A partial clone would ask its remote, one file at a time.
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1"}
    ran = subprocess.run(command, check=False, capture_output=True, env=environment)
    return None if ran.returncode else ran.stdout


def verified(folder: Path, python: str, models: Sequence[str] = ("models",)) -> list[dict[str, Any]]:
    """Return the rows of `audit --verify` of models, with paths from the folder; they are kept in `verified/`."""
    result = folder / "verified" / f"{Path(python).parent.parent.name}.json"
    if not result.exists():
        result.parent.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "opspec_lint", "audit", *models, "--verify", os.path.abspath(python)]
        ran = subprocess.run([*command, "--format", "json"], check=False, capture_output=True, cwd=folder, text=True)
        print(ran.stderr, end="", file=sys.stderr)
        if not ran.stdout:
            sys.exit(ran.returncode)
        result.write_text(ran.stdout, encoding="utf-8")
    rows: list[dict[str, Any]] = json.loads(result.read_text(encoding="utf-8"))["rows"]
    return rows


def report(title: str, rows: Sequence[dict[str, Any]], origins: str = "repositories") -> bool:
    """Print the result of a loader; return whether too many verdicts are wrong or unknown.

    `origins` is the word for the folders in `models/`.
    """
    counts = Counter(row["agreement"] for row in rows)
    folders = {PurePosixPath(row["model"]).parts[1] for row in rows}
    wrong, unknown = counts["differs"], counts["unknown"]
    print(
        f"{title}: {len(rows)} models of {len(folders)} {origins}, {wrong} wrong ({wrong / len(rows):.2%}), "
        f"{unknown} unknown ({unknown / len(rows):.2%})"
    )
    for row in rows:
        if row["agreement"] != "agrees":
            print(f"  {row['agreement']:7} {row['model']}: audit says {row['verdict']} ({_short(row['reason'])}),")
            print(f"          the loader {row['outcome']} ({_short(row['error'])})")
    return wrong > MOST_WRONG * len(rows) or unknown > MOST_UNKNOWN * len(rows)


def _short(text: str | None, length: int = 200) -> str:
    return "no reason" if not text else text if len(text) <= length else f"...{text[-length:]}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.public_models", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", help="where the models and the results are kept")
    parser.add_argument("--collect", nargs="+", default=[], metavar="REPOSITORY[@REVISION]", help="copy its models")
    parser.add_argument("--verify", action="append", default=[], metavar="PYTHON", help="an interpreter with loaders")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

"""Recorder of the public loading calls: `python -m tools.loading_calls FRAMEWORK PYTHON...`.

FRAMEWORK is the name of a module beside this one, without its underscore. Each PYTHON saves a file of each kind, and
each then loads all files. The outcomes replace the rows of the framework in `outcomes.json`, from which the table
in docs/reference/loaders.md is made.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("outcomes.json")
SECONDS = 900
"""The time for all loads of one interpreter; one that does not end is taken for a crash."""
CRASH = "crash"


def main(framework: str, pythons: list[str]) -> None:
    """Measure the calls of a framework, and write the file."""
    with tempfile.TemporaryDirectory() as folder:
        files = [file for python in pythons for file in saved_files(framework, python, folder)]
        rows = [row for python in pythons for row in loads(framework, python, files)]
    recorded = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    recorded[framework] = rows
    lines = (
        f" {json.dumps(name)}: [\n  " + ",\n  ".join(map(json.dumps, recorded[name])) + "\n ]"
        for name in sorted(recorded)
    )
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def saved_files(framework: str, python: str, folder: str) -> list[tuple[str, str, str]]:
    """Return the kind, the saving release and the path of each file that an interpreter could save."""
    version, *answers = run_request(part_of(framework), python, {"folder": folder})
    for kind, _, error in answers:
        if error:
            print(f"{version} does not save {kind}: {error}", file=sys.stderr)
    return [(kind, str(version), path) for kind, path, error in answers if not error]


def loads(framework: str, python: str, files: list[tuple[str, str, str]]) -> list[list[str]]:
    """Return the rows of an interpreter: kind, call, saving release, loading release, error ("" for none)."""
    done: dict[tuple[str, ...], str] = {}
    version = ""
    while True:
        version, *answers = run_request(part_of(framework), python, {"files": files, "done": list(done)})
        begun = [tuple(answer) for answer in answers if len(answer) == len(("kind", "call", "saved_by"))]
        done |= {tuple(answer[:3]): answer[3] for answer in answers if len(answer) > len(("kind", "call", "saved_by"))}
        if not begun or begun[-1] in done:
            return [[*key, version, error] for key, error in done.items()]
        done[begun[-1]] = CRASH


def part_of(framework: str) -> Path:
    """Return the module with the files and calls of a framework."""
    return Path(__file__).with_name(f"_{framework}.py")


def run_request(part: Path, python: str, request: dict[str, Any]) -> list[Any]:
    """Run a request in an interpreter by the module `part`, and return the lines of its answer; a crash ends them."""
    parts = [path.read_text(encoding="utf-8") for path in (part, Path(__file__).with_name("_main.py"))]
    made = subprocess.run(
        [python, "-c", "\n".join(parts)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    lines = [json.loads(line) for line in made.stdout.splitlines()]
    if not lines:
        raise SystemExit(f"{python}: does not start: {made.stderr[-400:]}")
    return lines


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

"""Comparison of audit verdicts with real loads of whole networks: `python -m tools.network_trials FOLDER ...`.

    python -m tools.network_trials FOLDER tensorflow --save PYTHON... [--load PYTHON...]

The second argument is the name of a module beside this one, without its underscore: it has the networks. Each
interpreter of `--save` saves all that it can, in `FOLDER/models/RELEASE/NETWORK`; models that are there already are
kept. Without `--load`, the interpreters are a ring: each loads the models of the one before it and of the one after
it. With it, each of these loads all models. A load is a run of `audit --verify`. A table at the end has the counts by
release and saver. The exit code is 1 if more than 0.5 % of the verdicts of a loader are wrong, or more than 3 %
unknown.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter, defaultdict
from itertools import chain
from pathlib import Path, PurePosixPath

from tools.loading_calls.__main__ import run_request
from tools.public_models import report, verified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any


def main() -> int:
    """Save and load the networks, and return the exit code."""
    options = _options()
    folder = Path(options.folder)
    savers = [_saved(folder, options.networks, python) for python in options.save]
    loads = [(python, savers) for python in options.load] if options.load else list(_ring(options.save, savers))
    by_loader = defaultdict(list)
    for python, models in loads:
        for row in verified(folder, python, list(dict.fromkeys(chain.from_iterable(models)))):
            by_loader[row["release"], row["loader"]].append(row)
    status = 0
    for (release, loader), rows in sorted(by_loader.items()):
        status |= report(f"{release} ({loader})", rows, "savers")
    _print_table(chain.from_iterable(by_loader.values()))
    return status


def _ring(pythons: Sequence[str], savers: Sequence[list[str]]) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield each interpreter with the models of its two neighbours; the first and the last are neighbours too."""
    for place, python in enumerate(pythons):
        yield python, [savers[place - 1], savers[(place + 1) % len(savers)]]


def _saved(folder: Path, networks: str, python: str) -> list[str]:
    """Let an interpreter save its networks, unless it did before; return their paths in the folder."""
    known = folder / "savers" / f"{Path(python).parent.parent.name}.json"
    if not known.exists():
        (folder / "models").mkdir(parents=True, exist_ok=True)
        part = Path(__file__).with_name(f"_{networks}.py")
        version, *answers = run_request(part, python, {"folder": str(folder.absolute() / "models")})
        for name, _, error in answers:
            if error:
                print(f"{version} does not save '{name}': {error}", file=sys.stderr)
        paths = [os.path.relpath(path, folder.absolute()) for _, path, error in answers if not error]
        known.parent.mkdir(exist_ok=True)
        known.write_text(json.dumps(paths), encoding="utf-8")
    models: list[str] = json.loads(known.read_text(encoding="utf-8"))
    return models


def _print_table(rows: Iterable[dict[str, Any]]) -> None:
    """Print a table of the verdicts by saving release, loading release and loader."""
    counts: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for row in rows:
        saver = PurePosixPath(row["model"]).parts[1]
        counts[saver, row["release"], row["loader"]][row["agreement"]] += 1
    print("| saved by | loaded by | loader | agree | differ | unknown |\n| --- | --- | --- | --- | --- | --- |")
    for key, counted in sorted(counts.items()):
        cells = (*key, *(str(counted[kind]) for kind in ("agrees", "differs", "unknown")))
        print(f"| {' | '.join(cells)} |")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.network_trials", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", help="where the models and the results are kept")
    parser.add_argument("networks", help="tensorflow or tflite")
    parser.add_argument("--save", nargs="+", required=True, metavar="PYTHON", help="interpreters that save networks")
    parser.add_argument("--load", nargs="+", default=[], metavar="PYTHON", help="interpreters that load all of them")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

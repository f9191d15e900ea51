"""Comparison of verdicts on ONNX models with real loaders: `python -m tools.onnx_trials FOLDER ...`.

    python -m tools.onnx_trials FOLDER --models PYTHON --judge onnxruntime@1.17.3=PYTHON --judge onnx@1.20.1=PYTHON

`--models` names an interpreter with a recent onnx, which writes several thousand models to the folder (`_generate.py`).
Each judge is a released spec, and an interpreter with that release: it loads each model, and the folder keeps the
outcomes. The verdict by the spec is wrong where the loader decides otherwise. Left out is a model that the loader
refuses by a value or a shape, when it makes a kernel or infers shapes: no schema states that. The exit code is 1 if
more than 0.5 % of the verdicts of a judge are wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from opspec_lint.kit.record import Record
from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.proof.prover import PROVERS
from opspec_lint.proof.trial import TrialSetup, try_all
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.models.audit import Audit

LOADER_OF = {"onnx": "onnx.checker", "onnxruntime": "InferenceSession"}
MOST_WRONG = 0.005
BY_VALUES = ("Exception during initialization", "InferenceError", "inferencing failed")
"""Words of the messages that are about values and shapes (ONNX Runtime)."""


class Row(Record):
    """The verdict on a model, and the outcome of loading it."""

    file: str
    kind: str
    verdict: Audit
    loads: bool
    error: str

    @property
    def is_wrong(self) -> bool:
        """The verdict contradicts the loader."""
        return self.verdict.verdict != "cannot_tell" and (self.verdict.verdict in ("loads", "changed")) != self.loads


def main() -> int:
    """Run the comparison, and return the exit code."""
    options = _options()
    folder = Path(options.folder)
    if options.models:
        folder.mkdir(parents=True, exist_ok=True)
        generator = Path(__file__).parent / "_generate.py"
        subprocess.run([options.models, str(generator), str(folder), options.seed], check=True)
        _keep_sample(folder, options.sample, options.seed)
    kinds = json.loads((folder / "kinds.json").read_text(encoding="utf-8"))
    status = 0
    for text in options.judge:
        release, _, python = text.partition("=")
        rows = _rows(folder, kinds, release, python)
        wrong = [row for row in rows if row.is_wrong]
        unknown = sum(row.verdict.verdict == "cannot_tell" for row in rows)
        share = len(wrong) / max(len(rows), 1)
        print(f"{release}: {len(rows)} verdicts, {len(wrong)} wrong ({share:.2%}), {unknown} unknown")
        _show(wrong, options.show)
        status |= share > MOST_WRONG
    return status


def _keep_sample(folder: Path, count: int | None, seed: str) -> None:
    """Delete all models but a random sample; keep every model if `count` is None."""
    listing = folder / "kinds.json"
    kinds = json.loads(listing.read_text(encoding="utf-8"))
    if count is None or count >= len(kinds):
        return
    kept = set(random.Random(seed).sample(sorted(kinds), count))  # noqa: S311 - a sample that others can repeat
    for name in kinds.keys() - kept:
        (folder / name).unlink()
    listing.write_text(json.dumps({name: kind for name, kind in kinds.items() if name in kept}), encoding="utf-8")


def _show(wrong: Sequence[Row], most: int) -> None:
    shown: Counter[tuple[str, bool]] = Counter()
    for row in wrong:
        shown[row.kind, row.loads] += 1
        if shown[row.kind, row.loads] <= most:
            messages = [row.error[-300:]] if row.error else [finding.message for finding in row.verdict.findings[:2]]
            message = "; ".join(messages)
            print(f"  {row.kind} {row.file}: {row.verdict.verdict}, and the loader says {message or 'loads'}")
    for (kind, loads), count in shown.most_common():
        print(f"  {count:5} {kind}: the loader {'takes' if loads else 'refuses'} them")


def _rows(folder: Path, kinds: dict[str, str], release: str, python: str) -> list[Row]:
    """Return the verdicts on all models whose contract decides."""
    spec = references.resolve(release, Reading(environment=os.environ)).spec
    loader = LOADER_OF[spec.provenance.framework]
    outcomes = _outcomes(folder, sorted(kinds), release, loader, python)
    rows = []
    for file, (outcome, error) in outcomes.items():
        is_by_contract = outcome in ("loads", "refused") and not any(phrase in error for phrase in BY_VALUES)
        if is_by_contract:
            (verdict,) = audit(str(folder / file), [(release, spec)], [LOADERS.load(loader)], LoadOptions())
            rows.append(Row(file=file, kind=kinds[file], verdict=verdict, loads=outcome == "loads", error=error))
    return rows


def _outcomes(folder: Path, files: list[str], release: str, loader: str, python: str) -> dict[str, tuple[str, str]]:
    """Return the outcome and error of each model in an interpreter; they are tried once."""
    kept = folder / f"{release}.json"
    if not kept.exists():
        prover = PROVERS.load(loader)
        setup = TrialSetup(python=python, probe=prover.probe(), package=prover.package, environment=os.environ)
        tried = try_all(setup, [folder / file for file in files], lambda text: print(text, file=sys.stderr))
        outcomes = {file: (trial.outcome, trial.error) for file, trial in zip(files, tried.trials, strict=True)}
        kept.write_text(json.dumps(outcomes), encoding="utf-8")
    return {file: (outcome, error) for file, (outcome, error) in json.loads(kept.read_text("utf-8")).items()}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.onnx_trials", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", help="where the models are")
    parser.add_argument("--models", metavar="PYTHON", help="write the models first, by this interpreter with onnx")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--sample", type=int, metavar="N", help="keep N of the models only, drawn at random")
    parser.add_argument("--judge", action="append", default=[], metavar="RELEASE=PYTHON")
    parser.add_argument("--show", type=int, default=2, help="wrong verdicts of each kind that are shown")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

"""Study: how many saved models that a release refuses does `check --profile saved-model` predict?

`python -m benchmarks.stopped_models paddle|tensorflow`, with the folder of recorded verdicts (`verdicts.jsonl`,
`op_verdicts.jsonl`, archives of models) in OPSPEC_LINT_MODELS. For each model that a loader of another release refused
or crashed on, the specs of the release that saved it and of the one that loaded it are compared. Every fault that an
audit of the model finds to stop it has to be an error of that comparison, for the same op and argument; and the op that
the loader's own error names, where it names one.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.places import ROOT
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.models import audit as audits
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.sources import recognise

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.model import Spec

ROUTES = ("legacy_executor", "inference_predictor")
NOT_OF_OPS = ("keras_format", "tags", "shape", "uninitialized")
"""Reasons of a loader that follow from no declaration of an op."""
MISSED = ("not foretold", "a fault without a finding", "for what no spec tells: the audit finds nothing either")


def main(framework: str) -> int:
    """Print the counts, and the models that are not predicted; return 1 if there are any."""
    data = Path(os.environ["OPSPEC_LINT_MODELS"])
    counts: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        unpack(data, Path(folder), framework)
        for row in ROWS[framework](data):
            for verdict, what in verdicts(row, Path(folder), framework):
                counts[verdict] += 1
                if verdict in MISSED:
                    missed[f"{verdict}: {what}"] += 1
    for verdict, count in counts.most_common():
        print(f"{count:6} {verdict}")
    for what, count in missed.most_common(40):
        print(f"{count:6} {what}")
    return 1 if missed else 0


def unpack(data: Path, folder: Path, framework: str) -> None:
    """Unpack the archives, each of TensorFlow's in a folder of its name."""
    for archive in data.glob("*.zip"):
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(folder / archive.stem if framework == "tensorflow" else folder)


def paddle_rows(data: Path) -> Iterator[dict[str, Any]]:
    """Yield the loads of models as they were saved that another release refused or crashed on."""
    for row in map(json.loads, (data / "verdicts.jsonl").open(encoding="utf-8")):
        stops = row["outcome"].startswith(("refused", "crash"))
        is_real = row["made"] == "saved" and row["saved_by"] != row["loaded_by"] and not row["caveat"]
        if stops and is_real and row["route"] in ROUTES:
            yield {**row, "loader": row["route"], "reason": None}


def tensorflow_rows(data: Path) -> Iterator[dict[str, Any]]:
    """Yield the loads of models as they were saved, and of graphs of one node, that another release refused."""
    for row in map(json.loads, (data / "verdicts.jsonl").open(encoding="utf-8")):
        is_real = row["situation"] == "real_model" and row["saved_by"] not in (None, row["loaded_by"])
        if is_real and row["outcome"] != "loads":
            yield {**row, "error_op": None}
    for row in map(json.loads, (data / "op_verdicts.jsonl").open(encoding="utf-8")):
        for release, (reason, message) in row["refused"].items():
            if release != row["saved_by"]:
                facts = {"model": row["graph"], "loader": "import_graph_def", "loaded_by": release}
                yield {**row, **facts, "reason": reason, "error_op": row["op"], "error": message}


ROWS = {"paddle": paddle_rows, "tensorflow": tensorflow_rows}


def verdicts(row: dict[str, Any], folder: Path, framework: str) -> Iterator[tuple[str, str]]:
    """Yield the verdict on a model that was refused, each with the model or fault that it concerns."""
    if row["reason"] in NOT_OF_OPS:
        yield "for what is no fact of ops", str(row["reason"])
        return
    base, head = f"{framework}-{row['saved_by']}", f"{framework}-{row['loaded_by']}"
    errors = findings(base, head)
    name = f"{row['model']} {row['saved_by']} -> {row['loaded_by']} {row['loader']}"
    faults = list(stopping(folder / row["model"], row, base, head))
    of_ops = [fault for fault in faults if fault.op is not None]
    for fault in of_ops:
        if not any(names(error, fault) for error in errors):
            yield "a fault without a finding", f"{name}: {fault.message}"
    if any(names(error, fault) for error in errors for fault in of_ops):
        yield "foretold, with op and argument", name
    elif faults and not of_ops:
        yield f"for what is no fact of ops: {faults[0].rule}", name
    else:
        verdict = "not foretold" if faults else "for what no spec tells: the audit finds nothing either"
        yield verdict, f"{name}: {row['reason'] or ''} {str(row['error'])[:200]}"


def stopping(model: Path, row: dict[str, Any], base: str, head: str) -> Iterator[Finding]:
    """Yield the errors of the audit of a model."""
    tags = row.get("tags")
    options = LoadOptions(
        tags=None if tags is None else tuple(tags), signature=row.get("signature"), saved_by=spec(base)
    )
    for model_report in audits.audit(str(model), [(head, spec(head))], [LOADERS.load(row["loader"])], options):
        yield from (finding for finding in model_report.findings if finding.level == "error")


def names(error: Finding, fault: Finding) -> bool:
    """Return whether an error of a comparison concerns the op and the argument of a fault."""
    if error.op != fault.op:
        return False
    is_whole = error.rule in ("op_removed", "builds_lost") or fault.kind not in ("input", "output", "attr")
    return is_whole or fault.name in (error.name, error.new_name)


@cache
def findings(base: str, head: str) -> tuple[Finding, ...]:
    """Return the errors of the comparison of two released specs."""
    findings_of_check = check(spec(base), spec(head), PROFILES.load("saved-model")).findings
    return tuple(finding for finding in findings_of_check if finding.level == "error")


@cache
def spec(name: str) -> Spec:
    """Return a released spec."""
    return recognise.read(str(ROOT / "specs" / f"{name}.json")).spec


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

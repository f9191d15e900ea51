"""Samples of TFLite for the tests of all frameworks (`tests/support/per_framework.py`)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.model import Op, Provenance, Spec
from tests.support.models import tflite_models
from tests.support.released_specs import released
from tests.support.trees import tflite_trees

FOREIGN = "dispensable|duplicable|quant|extra|GraphDef|OpDef|SavedModel|Paddle|graphs?"
OF_TREES = {
    *("conditions", "delegates", "oldest_runtimes", "options", "reference_max_version", "since_version"),
    *("unread", "unstored", "written_versions"),
}
RAISED = 25
WRITERS = {"litert@2.1.2": ("tflite", "tflite.Interpreter")}
WRONG = [
    ({"oldest_runtimes": {"1_z": "2.0"}}, "oldest_runtimes: expected a version of the op, found"),
    ({"oldest_runtimes": {"1": 2}}, 'oldest_runtimes["1"]: expected a string, found 2'),
    ({"written_versions": [1, None]}, "written_versions[1]: expected an integer, found null"),
    ({"min_version": 0, "max_version": 1 << 40}, "max_version: expected at most 9999, found 1099511627776"),
]
WRITTEN = {".tflite": tflite_models.written}


def kinds():
    with tempfile.TemporaryDirectory() as folder:
        tree = str(tflite_trees.write(Path(folder), tflite_trees.TREE))
        extracted = SOURCES.load("tflite-source").spec(tree, Reading(caches=False))
    return {
        "tflite": (released("tflite-2.17.1"),),
        "litert": (released("litert-2.1.2"),),
        "tflite source": (extracted,),
    }


def models():
    return {"tflite": ("m.tflite", {"m.tflite": tflite_models.whole()})}


def release():
    ranges = {"ADD": (1, 2), "GELU": (1, 1)}
    ops = {name: Op(name=name, min_version=least, max_version=most) for name, (least, most) in ranges.items()}
    return Spec(file="spec", provenance=Provenance(framework="tflite"), ops=ops)


def tree(parts):
    is_stated = parts.keys() <= {"register.cc", "schema_generated.h"}
    return ("tflite-source", tflite_trees.of_parts(parts)) if is_stated else None

"""Samples of PIR for the tests of all frameworks (`tests/support/per_framework.py`)."""

from __future__ import annotations

from opspec_lint.frameworks.paddle_pir.events import EVENTS
from tests.support.released_specs import released
from tests.support.trees import pir_trees

FOREIGN = "OpProto|GraphDef|OpDef|SavedModel|list\\(type\\)|Ref|is_stateful|strip"
OF_TREES = {"patches"}
WRONG = [
    ({"patches": [{}]}, "patches[0]: the key 'version' is missing"),
    ({"patches": ["x"]}, 'patches[0]: expected a mapping, found the string "x"'),
    ({"patches": [{"version": "1", "kind": "k"}]}, "patches[0].version: expected an integer, found"),
    ({"patches": [{"version": 1, "kind": "k", "pair": 5}]}, "patches[0].pair: expected a list, found 5"),
    ({"patches": "x"}, "patches: expected a list or null, found"),
]


def name_in_head(change):
    if change.event not in EVENTS:
        return None
    return change.new.partition(", ")[0] if change.field == "order" else change.facts.get("new_name", change.name)


def kinds():
    return {"paddle-pir": (released("paddle-pir-3.0.0"), released("paddle-pir-3.3.1"))}


def tree(parts):
    if pir_trees.LIBRARY in parts:
        return "paddle-pir-wheel", pir_trees.package_of_parts(parts)
    return ("paddle-pir-source", pir_trees.of_parts(parts)) if parts.keys() <= pir_trees.PARTS.keys() else None

"""Ops that differ in nothing but a field that one release does not know are not built, and no fact is lost by that."""

from __future__ import annotations

import copy

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.sources.formats import opspec
from opspec_lint.spec import op_table


def document(knows, ops):
    return {
        "opspec": 1,
        "provenance": {"framework": "pytorch", "made_by": "pytorch-wheel"},
        "binding": "schema",
        "knows": {"ops": [*knows, "vararg", "varret"], "inputs": ["type"], "outputs": ["type"]},
        "ops": ops,
    }


TENSOR = {"name": "self", "type": "Tensor"}
TAGGED = {
    "aten::plain": {"inputs": [TENSOR]},
    "aten::tagged": {"op_tags": ["core"], "inputs": [TENSOR]},
    "aten::untold": {"unknown": ["op_tags"], "inputs": [TENSOR]},
    "aten::grown": {"op_tags": ["core"], "inputs": [TENSOR]},
    "aten::gone": {"op_tags": ["core"]},
}
UNTAGGED = copy.deepcopy(TAGGED)
for record in UNTAGGED.values():
    record.pop("op_tags", None)
del UNTAGGED["aten::gone"], UNTAGGED["aten::untold"]["unknown"]
UNTAGGED["aten::grown"]["inputs"] = [TENSOR, {"name": "dim", "type": "int"}]
WITH, WITHOUT = document(["op_tags"], TAGGED), document([], UNTAGGED)
DEPRECATED = document(["deprecation"], {**UNTAGGED, "aten::plain": {"deprecation": "old", "inputs": [TENSOR]}})


def facts(base, head, only):
    specs = (opspec.load(copy.deepcopy(value), "ops.json") for value in (base, head))
    return diff(*specs, only)


@pytest.mark.parametrize("only", [None, ["aten::plain", "aten::grown"]])
@pytest.mark.parametrize(("base", "head"), [(WITH, WITHOUT), (WITHOUT, WITH), (DEPRECATED, WITH), (WITH, WITH)])
def test_facts_are_those_of_a_comparison_of_all_ops(base, head, only, monkeypatch):
    quick = facts(base, head, only)
    monkeypatch.setattr(op_table, "fields_known_once", lambda *_: (frozenset(), frozenset()))
    monkeypatch.setattr(op_table, "equal_in_shared_knowledge", lambda *_: False)
    assert quick == facts(base, head, only)


def test_ops_that_differ_in_nothing_else_are_not_built():
    base, head = (opspec.load(value, "ops.json") for value in (WITH, WITHOUT))
    assert "knowledge_lost" in {fact.event for fact in diff(base, head)}
    assert base.ops._built.keys().isdisjoint({"aten::plain", "aten::tagged"})


@pytest.mark.parametrize("name", ["aten::untold", "aten::grown"])
def test_ops_with_further_differences_are_compared(name):
    base, head = (opspec.load(value, "ops.json").ops for value in (WITH, WITHOUT))
    assert not op_table.equal_in_shared_knowledge(base, head, name)
    assert op_table.equal_in_shared_knowledge(base, head, "aten::plain")

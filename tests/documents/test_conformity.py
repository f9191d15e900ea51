from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.documents import schema
from opspec_lint.documents.conformity import conforms
from tests.support.events import schema_named
from tests.support.mutations import GARBAGE, mutated

CONFIG = {
    "specs": ["specs/*.json", {"file": "specs/ops.json", "source": "paddle-runtime"}],
    "source": "paddle-runtime",
    "base": "origin/main",
    "against": ["specs/old.json", "v1.0:specs/ops.json"],
    "profile": "paddle",
    "levels": {"op_removed": "warning", "attr_removed": "off"},
    "ignore": ["c_*", "relu"],
    "waivers": "waivers.yaml",
}
ENTRY = {
    "fingerprint": "0123456789abcdef",
    "rule": "op_removed",
    "op": "relu",
    "kind": "op",
    "name": "relu",
    "old": [1, {"float": "NaN"}],
    "new": None,
    "covers": 2,
    "reason": "nobody uses it",
    "owner": "ops team",
    "expires": "2026-05-15",
}
WAIVERS = {"version": 1, "waivers": [ENTRY, {"fingerprint": "0123456789abcdef"}, {"rule": "a", "op": "b"}]}
OP_VERSIONS = {
    "f": {
        "version_id": 1,
        "checkpoints": [
            {"note": "n", "updates": [{"type": "kNewAttr", "name": "a", "remark": "r", "default": 1}]},
            {"updates": [{"type": "kBugfixWithBehaviorChanged", "name": None}]},
        ],
    }
}
SPEC = {
    "opspec": 1,
    "provenance": {"framework": "paddle", "version": "1", "released": "2025-03-26"},
    "graph_versions": {"producer": 3, "bad_consumers": [1], "producer_since": "2025-03-26"},
    "loading": {"a": {"float": "NaN"}},
    "knows": {"inputs": ["extra"], "attrs": ["type", "minimum"]},
    "ops": {"f": {"inputs": [{"name": "X", "unknown": ["extra"]}], "attrs": [{"name": "a", "minimum": 0.5}]}},
    "op_versions": {"f": [{"updates": [{"action": "new", "kind": "attr", "name": "a"}, {"action": "bugfix"}]}]},
}
DOCUMENTS = {"config": CONFIG, "waivers": WAIVERS, "op_versions": OP_VERSIONS, "opspec": SPEC}


def agree(document, name):
    """Compare the verdict with the one of jsonschema, which explains it."""
    rules = schema_named(name)
    assert conforms(document, rules) is (not schema.faults(document, rules))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_is_right_conforms(name):
    assert conforms(DOCUMENTS[name], schema_named(name))
    assert schema.faults(DOCUMENTS[name], schema_named(name)) == []


@settings(max_examples=400)
@given(st.data())
@pytest.mark.parametrize("name", DOCUMENTS)
def test_it_and_jsonschema_agree(name, data):
    agree(data.draw(GARBAGE | mutated(DOCUMENTS[name])), name)


def edges():
    """Every member of the documents replaced by each of some values that the two could take for different things."""
    odd = [None, True, False, 0, 1, 2, 1.0, 0.5, "", "x", [], {}, [""], {"": ""}, "2026-05-15\n", "2026-13-01", -1]
    odd += [{"float": "NaN"}, {"float": "big"}, {"float": []}, 1 << 64, "0123456789ABCDEF", "0" * 17, {"file": "x"}]
    for name, document in DOCUMENTS.items():
        for value in odd:
            yield name, value
            for key in document:
                yield name, {**document, key: value}
    for value in odd:
        for key in ENTRY:
            yield "waivers", {"version": 1, "waivers": [{**ENTRY, key: value}]}
            yield "waivers", {"version": 1, "waivers": [{key: value}]}
        for key in ("file", "source"):
            yield "config", {"specs": [{"file": "x", "source": "y", key: value}]}
        yield "config", {"levels": {"op_removed": value}}


def test_they_agree_at_the_edges():
    every = list(edges())
    assert len(every) > 100
    for name, document in every:
        agree(document, name)


@pytest.mark.parametrize(
    "schema_",
    [
        {"oneOf": [{}]},
        {"type": "object", "properties": {"a": {"multipleOf": 3}}},
        {"type": "date"},
        {"format": "date"},
        {"$ref": "#/$defs/missing", "$defs": {}},
    ],
)
def test_a_schema_of_different_keywords_is_refused(schema_):
    with pytest.raises(KeyError):
        conforms({"a": "b"}, schema_)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_keyword_of_the_schemas_is_silently_passed_over(name):
    """Each keyword is one that is looked at, or one that judges nothing."""
    looked_at = set()

    def walk(part):
        looked_at.update(part)
        for key in ("properties", "$defs"):
            for inner in part.get(key, {}).values():
                walk(inner)
        for key in ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else"):
            if isinstance(part.get(key), dict):
                walk(part[key])
        for way in part.get("anyOf", ()):
            walk(way)

    walk(schema_named(name))
    from opspec_lint.documents import conformity

    assert looked_at <= set(conformity._KEYWORDS)


def test_the_schemas_are_valid_json():
    for name in DOCUMENTS:
        assert json.dumps(schema_named(name))

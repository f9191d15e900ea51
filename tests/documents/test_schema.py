from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.documents import schema
from opspec_lint.documents.schema import Schema
from opspec_lint.spec import file_schema
from opspec_lint.spec.fields import FRAMEWORKS
from tests.support.mutations import GARBAGE, mutated, nested
from tests.support.schemas import PADDLE_SCHEMAS, problems, schema_named

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
DOCUMENTS = {"config": CONFIG, "waivers": WAIVERS}
RULES = {name: schema.load(name) for name in ("config", "waivers", "proof", "store")} | {
    name: schema.load(name, PADDLE_SCHEMAS) for name in ("print_op_desc", "op_versions")
}
"""The schemas by which files are checked."""


def agree(document, name):
    faults = RULES[name].faults(document)
    assert RULES[name].conforms(document) is (faults == [])
    try:
        expected = problems(document, schema_named(name))
    except RecursionError:  # deeper than Python's stack
        return
    assert (faults == []) is (expected == [])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_is_right_conforms(name):
    assert RULES[name].conforms(DOCUMENTS[name])
    assert RULES[name].faults(DOCUMENTS[name]) == []


@settings(max_examples=400)
@given(st.data())
@pytest.mark.parametrize("name", DOCUMENTS)
def test_it_and_jsonschema_agree(name, data):
    agree(data.draw(GARBAGE | mutated(DOCUMENTS[name])), name)


def edges():
    """Every member of the documents replaced by each of some values that the two could take for different things."""
    odd = [None, True, False, 0, 1, 2, 1.0, 0.5, "", "x", [], {}, [""], {"": ""}, "2026-13-01", -1]
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


KEYWORDS = [
    ({"type": ["integer", "null"], "minimum": 0, "maximum": 3}, [0, 3, -1, 4, 1.0, 2.5, True, None]),
    ({"minimum": 0}, [0, -1, -0.5, 0.5, "x", None]),
    ({"type": "number"}, [1, 1.5, float("nan"), float("inf"), True, "1"]),
    ({"enum": ["a", None, 1]}, ["a", "b", None, 1, 2, [], {}]),
    ({"const": 1}, [1, 2, "1", None, []]),
    ({"pattern": "^[a-z]+$"}, ["ab", "", "a1", 7]),
    ({"minLength": 1, "maxLength": 2}, ["", "a", "abc", []]),
    ({"items": {"type": "string"}, "minItems": 1, "maxItems": 2}, [[], ["a"], ["a", 1], ["a", "b", "c"], "ab", {}]),
    ({"items": {"type": "string"}, "uniqueItems": True}, [["a", "b"], ["a", "a"], ["a", 1, "a"], [], "aa"]),
    ({"required": ["a"]}, [{"a": 1}, {}, {"b": 1}, ["a"], 3]),
    ({"properties": {"a": {"type": "null"}}, "additionalProperties": False}, [{}, {"a": None}, {"a": 1}, {"b": 1}, 0]),
    ({"properties": {"a": {}}, "additionalProperties": {"type": "null"}}, [{"a": 1}, {"b": None}, {"b": 1}, []]),
    ({"propertyNames": {"pattern": "^a"}}, [{"ab": 1}, {"b": 1}, {}, "b"]),
    ({"anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}]}, [{"a": 1}, {"b": 1}, {"b": 1, "c": 1}, {}]),
    ({"not": {"type": "string"}}, ["x", 1]),
    (
        {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}, "else": {"required": ["c"]}},
        [{"a": 1}, {"a": 1, "b": 1}, {"a": 2}, {"a": 2, "c": 1}, {}, 7],
    ),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, [{"a": 1}, {"a": 1, "b": 1}, {}]),
    ({"$ref": "#/$defs/text", "$defs": {"text": {"type": "string"}}}, ["x", 1]),
    ({"format": "attr-value"}, [1, 1 << 64, [[1 << 64]], {"float": "NaN"}, {"float": "x"}, None, "x", 1e300]),
    ({"type": ["number", "null"], "format": "attr-value"}, [1 << 64, None, 1.5, float("nan")]),
]


@pytest.mark.parametrize(("rules", "values"), KEYWORDS, ids=[" ".join(rules) for rules, _ in KEYWORDS])
def test_every_keyword_means_the_same_to_jsonschema(rules, values):
    verdicts = {Schema(rules).conforms(value) for value in values}
    assert verdicts == {True, False}
    for value in values:
        expected = problems(value, {"$id": "urn:opspec-lint:test", **rules}) == []
        assert (Schema(rules).conforms(value), Schema(rules).faults(value) == []) == (expected, expected), value


def test_the_end_of_a_pattern_is_the_end_of_the_text():
    """As in ECMA 262; jsonschema takes a line break after it."""
    assert not Schema({"pattern": "^a$"}).conforms("a\n")


@pytest.mark.parametrize(
    "rules",
    [
        {"oneOf": [{}]},
        {"type": "object", "properties": {"a": {"maxProperties": 3}}},
        {"type": "date"},
        {"format": "date"},
        {"$ref": "#/$defs/missing", "$defs": {}},
    ],
)
def test_a_schema_with_an_unsupported_keyword_is_refused(rules):
    with pytest.raises(KeyError):
        Schema(rules).conforms({"a": "b"})


@pytest.mark.parametrize("framework", [None, "", *FRAMEWORKS.names()])
def test_no_type_decides_where_jsonschema_looks_at_the_value(framework):
    """A spec file is accepted by the types of its values: each field takes every value of a type that is sufficient."""
    samples = [None, True, 1, 1.5, "x", "", [], {}, [1], {"a": 1}, 1 << 64, float("nan"), float("inf")]
    rules = file_schema.schema(framework)
    whole = Schema(rules)
    for section in ("op", "input", "output", "attr"):
        for name, field in rules["$defs"][section]["properties"].items():
            decided = [value for value in samples if type(value) in whole.part(field).sufficient]
            part = {**field, "$id": "urn:opspec-lint:part", "$defs": rules["$defs"]}
            assert [value for value in decided if problems(value, part)] == [], (section, name)


@pytest.mark.parametrize("name", RULES)
def test_values_of_any_depth_are_judged(name):
    document = nested(100_000)
    assert not RULES[name].conforms(document)
    (fault,) = RULES[name].faults(document, at="here")
    assert fault.where == "here"
    assert fault.problem.startswith(("expected", "unknown key"))


def test_the_path_of_a_fault_in_a_part_begins_with_the_path_of_the_part():
    faults = RULES["print_op_desc"].definition("op").faults({"Inputs": [], "Outputs": {}}, at="relu")
    assert sorted(fault.where for fault in faults) == ["relu", "relu.Inputs"]


def test_the_schemas_are_valid_json():
    for name in RULES:
        assert json.dumps(schema_named(name))

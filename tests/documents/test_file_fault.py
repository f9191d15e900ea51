from __future__ import annotations

import pytest

from opspec_lint.documents import schema
from opspec_lint.documents.file_fault import FileFault, describe, first_error
from opspec_lint.documents.schema import Schema
from opspec_lint.kit.text import join


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ((), ""),
        (("ops", "matmul", "inputs", 0), "ops.matmul.inputs[0]"),
        (("@ADAPT", "a-b", "größe"), "@ADAPT.a-b.größe"),
        (("a b", "c"), '["a b"].c'),
        (("ops", ""), 'ops[""]'),
        (("two\nlines", '"', "\x1b"), '["two\\nlines"]["\\""]["\\u001b"]'),
        (("1",), '["1"]'),
    ],
)
def test_join(parts, path):
    assert join(*parts) == path


@pytest.mark.parametrize(
    ("value", "description"),
    [
        ({"a": 1}, "a mapping"),
        ([1], "a list"),
        ("yes", 'the string "yes"'),
        ("x" * 100, 'the string "' + "x" * 56 + "..."),
        ("\n", 'the string "\\n"'),
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        (1 << 64, "18446744073709551616"),
        (10**600, "an integer beyond 64 bits"),
        (-(10**600), "an integer beyond 64 bits"),
        (float("nan"), "NaN"),
    ],
)
def test_describe(value, description):
    assert describe(value) == description


@pytest.mark.parametrize("document", [{"version": 1, "waivers": [1] * 30_000}, {str(key): 1 for key in range(30_000)}])
def test_of_very_many_faults_some_are_listed(document):
    *faults, last = schema.load("waivers").faults(document)
    assert 9_990 < len(faults) <= 10_000
    assert last.problem == "has more faults than the 10,000 that are looked for"


def test_the_first_error_has_specific_or_general_advice():
    general = first_error([FileFault(where="a", problem="p"), FileFault(where="b", problem="q")], "f", "look")
    assert (str(general), general.advice) == ("f: a: p", "look")
    own = first_error([FileFault(where="", problem="p", advice="mend")], "f", "look")
    assert (str(own), own.advice) == ("f: p", "mend")


def test_a_refusal_without_a_fault_is_our_own_fault():
    with pytest.raises(AssertionError, match="f is refused"):
        first_error([], "f", "")


def test_long_names_cost_no_more_than_their_length():
    """Each fault quotes a name, and looks for what was meant."""
    names = {f"{number}{'x' * 50_000}": 1 for number in range(200)}
    faults = schema.load("waivers").faults({"version": 1, "waivers": [names]})
    assert len(faults) > 200
    assert max(len(fault.problem) for fault in faults) < 200


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("expires", "soon", 'expected the last day on which it holds, YYYY-MM-DD, found the string "soon"'),
        ("fingerprint", "12", 'expected the fingerprint that every report shows, found the string "12"'),
    ],
)
def test_a_pattern_is_described(key, value, problem):
    waiver = {"rule": "op_removed", "op": "f", "reason": "r", "owner": "o", key: value}
    (fault,) = schema.load("waivers").faults({"version": 1, "waivers": [waiver]})
    assert (fault.where, fault.problem) == (f"waivers[0].{key}", problem)


@pytest.mark.parametrize(
    ("rules", "value", "problem"),
    [
        ({"type": ["string", "null"]}, 1, "expected a string or null, found 1"),
        ({"enum": ["any", None]}, [], 'expected "any", null, found a list'),
        ({"const": 1}, 2, "1 was expected"),
        ({"minimum": 1}, 0, "expected at least 1, found 0"),
        ({"maximum": 1}, 2, "expected at most 1, found 2"),
        ({"minLength": 1}, "", "'' should be non-empty"),
        ({"maxLength": 2}, "abc", "'abc' is too long"),
        ({"minItems": 2}, ["a"], "expected at least 2, found 1"),
        ({"minItems": 1}, [], "expected at least 1, found none"),
        ({"maxItems": 1}, ["a", "b"], "['a', 'b'] is too long"),
        ({"uniqueItems": True}, ["a", "a"], "['a', 'a'] has non-unique elements"),
        ({"pattern": "^a"}, "b", "'b' does not match '^a'"),
        ({"not": {}}, "b", "is not allowed here"),
        ({"anyOf": [{"required": ["a", "b"]}, {"required": ["c"]}]}, {}, "expected the keys 'a' and 'b', or 'c'"),
        ({"required": ["a"]}, {}, "the key 'a' is missing"),
        ({"additionalProperties": False}, {"a": 1}, 'unknown key "a"'),
    ],
)
def test_the_problem_names_the_expectation(rules, value, problem):
    (fault,) = Schema(rules).faults(value)
    assert fault.problem == problem


def test_the_advice_for_a_misspelt_value_is_the_nearest_value():
    (fault,) = Schema({"enum": ["backward", "forward"]}).faults("backwards")
    assert "backward" in fault.advice


def test_faults_are_in_the_order_of_the_document():
    rules = {"properties": {"a": {"type": "null"}, "b": {"type": "null"}}, "additionalProperties": False}
    assert [fault.path for fault in Schema(rules).faults({"b": 1, "c": 1, "a": 1})] == [("c",), ("b",), ("a",)]

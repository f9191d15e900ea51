from __future__ import annotations

import pytest

from opspec_lint.documents import schema
from opspec_lint.documents.schema import FileFault, describe, first_error, join
from tests.support.events import schema_named
from tests.support.mutations import nested


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
    ("value", "texts"),
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
def test_describe(value, texts):
    assert describe(value) == texts


@pytest.mark.parametrize("name", ["opspec", "print_op_desc", "op_versions", "report"])
def test_values_too_deep_to_be_shown_are_a_fault_like_any_other(name):
    (fault,) = schema.faults(nested(100_000), schema_named(name), at="here")
    assert fault == FileFault(where="here", problem="is nested hundreds of levels deep, beyond the limit for a spec")


def test_an_integer_too_long_to_be_shown_is_a_fault():
    rules = {"$schema": "", "$id": "x", "properties": {"names": {"maxItems": 1}}}
    (fault,) = schema.faults({"names": [10**5_000, "a"]}, rules, at="here")
    assert fault == FileFault(
        where="here", problem="has an integer of thousands of digits, beyond the limit for a spec"
    )


def test_a_part_of_a_document_is_reported_by_its_path_in_the_whole():
    faults = schema.faults(
        {"Inputs": [], "Outputs": {}}, schema_named("print_op_desc"), at="relu", fragment="/$defs/op"
    )
    assert sorted(fault.where for fault in faults) == ["relu", "relu.Inputs"]


@pytest.mark.parametrize("document", [{"version": 1, "waivers": [1] * 30_000}, {str(key): 1 for key in range(30_000)}])
def test_of_very_many_faults_some_are_listed(document):
    *faults, last = schema.faults(document, schema.load("waivers"))
    assert 9_990 < len(faults) <= 10_000
    assert last.problem == "has more faults than the 10,000 that are looked for"


def test_the_first_error_has_its_own_advice_or_the_general_one():
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
    faults = schema.faults({"version": 1, "waivers": [names]}, schema.load("waivers"))
    assert len(faults) > 200
    assert max(len(fault.problem) for fault in faults) < 200


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("expires", "soon", 'expected the last day on which it holds, YYYY-MM-DD, found the string "soon"'),
        ("fingerprint", "12", 'expected the fingerprint that every report shows, found the string "12"'),
    ],
)
def test_a_pattern_is_reported_in_words(key, value, problem):
    waiver = {"rule": "op_removed", "op": "f", "reason": "r", "owner": "o", key: value}
    (fault,) = schema.faults({"version": 1, "waivers": [waiver]}, schema.load("waivers"))
    assert (fault.where, fault.problem) == (f"waivers[0].{key}", problem)

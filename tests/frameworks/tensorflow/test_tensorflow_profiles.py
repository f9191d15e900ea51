"""The verdicts of the four profiles of TensorFlow on one pair of specs, next to each other."""

from __future__ import annotations

from itertools import permutations

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.lint import rulebook
from opspec_lint.lint.check import check
from opspec_lint.lint.examples import parse as parse_spec
from opspec_lint.lint.judge import judge
from opspec_lint.lint.profile import PROFILES, Profile, union
from opspec_lint.report.findings import LEVELS, worst
from tests.support.paths import SPECS
from tests.support.released_specs import released

BACKWARD, FORWARD, BOTH = map(PROFILES.load, ("tensorflow", "tensorflow-forward", "tensorflow-both"))
RULES = list(rulebook.RULES.every())
RELEASES = [path.stem for path in sorted(SPECS.glob("tensorflow-*.json"))]
SAMPLE = [
    ("tensorflow-1.15.0", "tensorflow-2.21.0"),
    ("tensorflow-2.5.3", "tensorflow-2.6.5"),
    ("tensorflow-2.8.4", "tensorflow-2.9.3"),
    ("tensorflow-2.12.1", "tensorflow-2.13.1"),
    ("tensorflow-2.16.2", "tensorflow-2.17.1"),
]
"""Pairs of releases that have, in one order or the other, a finding of every rule that finds anything between two."""


def by_fact(findings):
    """The level of each finding, by what it is about."""
    return {finding.fingerprint: finding.level for finding in findings}


def union_of(first, second):
    """The findings of either of two judgements, each at the worse of its levels."""
    return {key: worst(first.get(key, "off"), second.get(key, "off")) for key in first | second}


@pytest.mark.parametrize("own", LEVELS)
def test_both_has_the_worse_level_of_the_two_for_every_rule(own):
    expected = {rule.id: worst(BACKWARD.level(rule.id, own), FORWARD.level(rule.id, own)) for rule in RULES}
    assert {rule.id: BOTH.level(rule.id, own) for rule in RULES} == expected


def test_both_finds_in_every_example_what_either_finds():
    examples = [(rule.id, item) for rule in RULES if rule.is_of_contract for item in (*rule.flagged, *rule.passes)]
    assert {name for name, example in examples if not is_union(example)} == set()


def is_union(example):
    specs = [parse_spec(text, binding="signature") for text in example]
    changes = list(diff(*specs))
    first, second, both = (
        by_fact(judge(changes, policy, framework="tensorflow")) for policy in (BACKWARD, FORWARD, BOTH)
    )
    return both == union_of(first, second)


def checked(base, head):
    """The findings between two releases under each of the three profiles."""
    return [check(released(base), released(head), profile).findings for profile in (BACKWARD, FORWARD, BOTH)]


def judged(base, head):
    """The same, compared only once."""
    changes = list(diff(released(base), released(head)))
    return [judge(changes, profile, framework="tensorflow") for profile in (BACKWARD, FORWARD, BOTH)]


def is_union_of_findings(backward, forward, both):
    """Return whether `both` has findings, and whether either of the others has."""
    return bool(both) and by_fact(both) == union_of(by_fact(backward), by_fact(forward))


def in_both_orders(pairs):
    return [*pairs, *(pair[::-1] for pair in pairs)]


@pytest.mark.parametrize("pair", in_both_orders(SAMPLE), ids=" ".join)
def test_both_finds_between_real_releases_what_either_finds(pair):
    assert is_union_of_findings(*checked(*pair))


@pytest.mark.exhaustive
def test_both_finds_between_any_two_releases_what_either_finds_and_the_sample_shows_every_rule():
    wrong, rules = [], {}
    for pair in permutations(RELEASES, 2):
        result = judged(*pair)
        rules[pair] = {finding.rule for finding in result[-1]}
        if not is_union_of_findings(*result):
            wrong.append(pair)
    assert wrong == []
    assert set().union(*(rules[pair] for pair in in_both_orders(SAMPLE))) == set().union(*rules.values())


def test_a_level_that_a_configuration_sets_holds_for_both_directions():
    base, head = (parse_spec(text, binding="signature") for text in ("f() -> () [dims: int]", "f() -> () [axis: int]"))
    levels = {"attr_removed": "note", "attr_added_without_default": "note"}
    (finding,) = judge(diff(base, head), BOTH.with_levels(levels), framework="tensorflow")
    assert (finding.rule, finding.level) == ("attr_renamed", "note")


def test_what_one_of_a_union_exempts_is_as_bad_as_the_other_states():
    strict = Profile(summary="", levels={}, reviewers={"def": "x"})
    lenient = Profile(summary="", levels={}, exempt_ops="^f$", reviewers={"def": "y", "quant": "z"})
    both = union("", strict, lenient)
    facts = list(diff(parse_spec("f() -> ()\ng() -> ()"), parse_spec("g() -> ()")))
    assert [finding.level for finding in judge(facts, lenient)] == ["note"]
    assert [finding.level for finding in judge(facts, both)] == ["error"]
    assert both.reviewers == {"def": "x", "quant": "z"}


REORDERED = [
    ('f() -> () [T: type in ["half", "float"]]', 'f() -> () [T: type in ["float", "half"]]'),
    ('f() -> () [m: string in ["a", "b", "c"]]', 'f() -> () [m: string in ["c", "b", "a"]]'),
    ('f() -> () [m: string in ["a", "b"]]', 'f() -> () [m: string in ["a", "b", "a"]]'),
]


@pytest.mark.parametrize(("base", "head"), REORDERED)
@pytest.mark.parametrize("name", ["tensorflow", "tensorflow-forward", "tensorflow-both", "tensorflow-public"])
def test_the_order_of_allowed_values_breaks_nobody(base, head, name):
    specs = [parse_spec(text, framework="tensorflow", binding="signature") for text in (base, head)]
    (finding,) = judge(diff(*specs), PROFILES.load(name), framework="tensorflow")
    assert (finding.rule, finding.level, finding.directions) == ("allowed_values_reordered", "note", ())

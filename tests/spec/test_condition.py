"""Conditions are simplified as logic says, compared with a table of truth."""

from __future__ import annotations

from itertools import product

import pytest

from opspec_lint.spec.condition import ALWAYS, NEVER, both, either, implies, negation, requirement, show

A, B, C = map(requirement, "ABC")


def holds(condition, facts):
    return any(
        all(facts[text.removeprefix("not ")] is not text.startswith("not ") for text in each) for each in condition
    )


def table(condition):
    return [holds(condition, dict(zip("ABC", row, strict=True))) for row in product((True, False), repeat=3)]


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (ALWAYS, "always"),
        (NEVER, "never"),
        (A, "A"),
        (negation(A), "not A"),
        (negation(negation(A)), "A"),
        (both(A, B), "A and B"),
        (both(A, negation(A)), "never"),
        (either([A, B]), "A, or B"),
        (either([A, negation(A)]), "always"),
        (either([A, both(negation(A), B), both(negation(A), negation(B))]), "always"),
        (either([A, both(negation(A), B)]), "A, or B"),
        (either([both(A, B), both(A, negation(B))]), "A"),
        (either([A, both(A, B)]), "A"),
        (negation(either([A, both(B, C)])), "not A and not B, or not A and not C"),
        (either([]), "never"),
        (both(NEVER, A), "never"),
        (negation(ALWAYS), "never"),
        (negation(NEVER), "always"),
        (requirement("x  >\n 1", holds=False), "not x > 1"),
    ],
)
def test_conditions_are_simplified(condition, text):
    assert show(condition) == text


@pytest.mark.parametrize("first", [ALWAYS, NEVER, A, both(A, B), either([A, negation(B)]), either([both(A, C), B])])
@pytest.mark.parametrize("second", [ALWAYS, NEVER, negation(A), both(B, negation(C)), either([B, both(A, C)])])
def test_operations_are_those_of_logic(first, second):
    pairs = list(zip(table(first), table(second), strict=True))
    assert table(both(first, second)) == [one and other for one, other in pairs]
    assert table(either([first, second])) == [one or other for one, other in pairs]
    assert table(negation(first)) == [not one for one in table(first)]
    if implies(first, second):
        assert all(other for one, other in pairs if one)
    assert implies(both(first, second), first)
    assert implies(first, either([first, second]))


def test_a_condition_with_many_alternatives_becomes_one_requirement():
    many = either(requirement(f"A{index}") for index in range(40))
    assert len(many) == 1
    assert "A39" in many[0][0]

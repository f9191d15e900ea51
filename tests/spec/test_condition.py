"""Conditions are simplified as logic says, compared with a table of truth."""

from __future__ import annotations

from itertools import product
from operator import and_, not_, or_

import pytest

from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, implies, negation, requirement, show

A, B, C = map(requirement, "ABC")


def is_met(alternative, facts):
    return all(facts[text.removeprefix("not ")] is not text.startswith("not ") for text in alternative)


def table(condition):
    rows = [dict(zip("ABC", row, strict=True)) for row in product((True, False), repeat=3)]
    return [any(is_met(alternative, row) for alternative in condition) for row in rows]


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (ALWAYS, "always"),
        (NEVER, "never"),
        (A, "A"),
        (negation(A), "not A"),
        (negation(negation(A)), "A"),
        (conjunction(A, B), "A and B"),
        (conjunction(A, negation(A)), "never"),
        (disjunction([A, B]), "A, or B"),
        (disjunction([A, negation(A)]), "always"),
        (disjunction([A, conjunction(negation(A), B), conjunction(negation(A), negation(B))]), "always"),
        (disjunction([A, conjunction(negation(A), B)]), "A, or B"),
        (disjunction([conjunction(A, B), conjunction(A, negation(B))]), "A"),
        (disjunction([A, conjunction(A, B)]), "A"),
        (negation(disjunction([A, conjunction(B, C)])), "not A and not B, or not A and not C"),
        (disjunction([]), "never"),
        (conjunction(NEVER, A), "never"),
        (negation(ALWAYS), "never"),
        (negation(NEVER), "always"),
        (requirement("x  >\n 1", holds=False), "not x > 1"),
    ],
)
def test_conditions_are_simplified(condition, text):
    assert show(condition) == text


@pytest.mark.parametrize(
    "first", [ALWAYS, NEVER, A, conjunction(A, B), disjunction([A, negation(B)]), disjunction([conjunction(A, C), B])]
)
@pytest.mark.parametrize(
    "second", [ALWAYS, NEVER, negation(A), conjunction(B, negation(C)), disjunction([B, conjunction(A, C)])]
)
def test_operations_are_those_of_logic(first, second):
    left, right = table(first), table(second)
    assert table(conjunction(first, second)) == list(map(and_, left, right))
    assert table(disjunction([first, second])) == list(map(or_, left, right))
    assert table(negation(first)) == list(map(not_, left))
    assert not implies(first, second) or all(right[row] for row in range(8) if left[row])
    assert implies(conjunction(first, second), first)
    assert implies(first, disjunction([first, second]))


def test_a_long_condition_becomes_a_requirement():
    many = disjunction(requirement(f"A{index}") for index in range(40))
    assert len(many) == 1
    assert "A39" in many[0][0]


def test_a_condition_of_many_conditions_stays_short():
    def nested(last):
        result = requirement(last)
        for depth in range(40):
            parts = [conjunction(result, requirement(f"f_{depth}_{index}")) for index in range(40)]
            result = negation(disjunction(parts))
        return result

    first, second = nested("a"), nested("b")
    assert len(show(first)) < 40_000
    assert first != second


def test_a_condition_of_many_requirements_stays_short():
    condition = ALWAYS
    for number in range(2000):
        condition = conjunction(condition, requirement(f"goto_{number}"))
    assert condition not in (ALWAYS, NEVER)
    assert len(show(condition)) < 2000

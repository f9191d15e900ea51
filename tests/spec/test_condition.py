"""Conditions are simplified as logic says, compared with a table of truth."""

from __future__ import annotations

from itertools import product
from operator import and_, not_, or_

import pytest

from opspec_lint.spec.condition import ALWAYS, NEVER, both, either, implies, negation, requirement, show

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
    left, right = table(first), table(second)
    assert table(both(first, second)) == list(map(and_, left, right))
    assert table(either([first, second])) == list(map(or_, left, right))
    assert table(negation(first)) == list(map(not_, left))
    assert not implies(first, second) or all(right[row] for row in range(8) if left[row])
    assert implies(both(first, second), first)
    assert implies(first, either([first, second]))


def test_a_long_condition_becomes_a_requirement():
    many = either(requirement(f"A{index}") for index in range(40))
    assert len(many) == 1
    assert "A39" in many[0][0]

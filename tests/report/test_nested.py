from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec_lint.report.nested import paths

NAMES = ('"a" -> nothing', '"c" -> nothing', 'nothing -> "d"')
"""How the names of a set changed."""
SCALARS = st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from([1.0, "a", ""])
VALUES = st.lists(st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3), max_leaves=6), max_size=4)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([[1, 2], [3]], [[1, 2], [4]], ["[1][0]: 3 -> 4"]),
        ([1, [2]], [1, [2, 5]], ["[1][1]: nothing -> 5"]),
        ([1, 2], [True, 3], ["[0]: 1 -> true", "[1]: 2 -> 3"]),
        ([1], [1.0], ["[0]: 1 -> 1.0"]),
        ([0, 1, 2], [1, 2], ["[0]: 0 -> nothing"]),
        ([1, 2, 3], [0, 1, True, 2, 3], ["[0]: nothing -> 0", "[2]: nothing -> true"]),
        ([1, 2, 3, 4], [1, 5, 4], ["[1]: 2 -> 5", "[2]: 3 -> nothing"]),
        ([[1], [2], [3]], [[0], [1], [2, 4], [3]], ["[0]: nothing -> [0]", "[1][1]: nothing -> 4"]),
        ({"a": [[1], [2]]}, {"a": [[0], [1], [2]], "b": 1}, ["['a'][0]: nothing -> [0]", "['b']: nothing -> 1"]),
        (
            {"a": 1, "b": None},
            {"a": True, "c": "x"},
            ["['a']: 1 -> true", "['b']: null -> nothing", """['c']: nothing -> "x\""""],
        ),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, ["['a']['b'][1]: 2 -> 3"]),
        ([*range(300)], [*range(1, 300)], [f"[{n}]: {n} -> {n + 1}" for n in range(299)] + ["[299]: 299 -> nothing"]),
        ({"a": [1]}, {"a": [2]}, ["['a'][0]: 1 -> 2"]),
        ([float("nan")], [float("nan")], []),
        ({"T": ["a", "b", "c"]}, {"T": ["b", "d"]}, [f"['T']: {change}" for change in NAMES]),
        ({"T": ["a"]}, {"T": ["a"], "U": ["b"]}, ["""['U']: nothing -> "b\""""]),
    ],
)
def test_a_nested_change_is_reported_path_by_path(old, new, expected):
    assert paths(old, new) == expected


@given(
    st.lists(st.integers(0, 3) | st.lists(st.booleans(), max_size=2), max_size=12), st.integers(0, 12), st.integers(4)
)
def test_an_inserted_item_is_the_only_difference(items, index, item):
    """Wherever it is inserted, as no other item equals it."""
    grown = [*items[:index], item, *items[index:]]
    place = min(index, len(items))
    assert paths(items, grown) == [f"[{place}]: nothing -> {item}"]
    assert paths(grown, items) == [f"[{place}]: {item} -> nothing"]


@given(VALUES, VALUES)
def test_values_without_differences_are_equal(old, new):
    assert (paths(old, new) == []) is (repr(old) == repr(new))
    assert paths(old, old) == []

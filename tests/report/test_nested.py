from __future__ import annotations

import pytest

from opspec_lint.report.nested import paths

NAMES = ('"a" -> nothing', '"c" -> nothing', 'nothing -> "d"')
"""How the names of a set changed."""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ([[1, 2], [3]], [[1, 2], [4]], ["[1][0]: 3 -> 4"]),
        ([1, [2]], [1, [2, 5]], ["[1][1]: nothing -> 5"]),
        ([1, 2], [True, 3], ["[0]: 1 -> true", "[1]: 2 -> 3"]),
        ([1], [1.0], ["[0]: 1 -> 1.0"]),
        ([0, 1, 2], [1, 2], ["[0]: 0 -> nothing"]),
        ({"a": [1]}, {"a": [2]}, ["['a'][0]: 1 -> 2"]),
        ([float("nan")], [float("nan")], []),
        ({"T": ["a", "b", "c"]}, {"T": ["b", "d"]}, [f"['T']: {change}" for change in NAMES]),
        ({"T": ["a"]}, {"T": ["a"], "U": ["b"]}, ["""['U']: nothing -> "b\""""]),
    ],
)
def test_a_nested_change_is_told_path_by_path(old, new, expected):
    assert paths(old, new) == expected

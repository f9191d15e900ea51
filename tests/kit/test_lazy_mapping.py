"""A mapping that makes its values when they are accessed."""

from __future__ import annotations

import pytest

from opspec_lint.kit.lazy_mapping import LazyMapping


def test_a_value_is_made_when_it_is_accessed_and_once():
    made = []

    def make(name, record):
        made.append(name)
        return [record]

    result = LazyMapping({"a": 1, "b": 2}, make)
    assert (list(result), len(result), made) == (["a", "b"], 2, [])
    first, again = result["b"], result["b"]
    assert first == [2]
    assert again is first
    assert made == ["b"]
    assert result.get("c") is None
    with pytest.raises(KeyError):
        _ = result["c"]

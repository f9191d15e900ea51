"""The results of a later release for the models of a store."""

from __future__ import annotations

import pytest

from opspec_lint.proof import later
from opspec_lint.proof.store import StoredModel


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ({"a": "1"}, {"a": "1"}, "loads"),
        ({"a": "1"}, {"a": "1.0"}, "loads"),
        ({"a": "1"}, {"a": "2"}, "changed"),
        ({"a": "1", "b": "2"}, {"a": "1", "b": "3"}, "changed"),
        ({"a": "1"}, {}, "loads"),
        (None, {"a": "2"}, "loads"),
    ],
)
def test_a_model_that_loads_states_what_it_stated_before(before, after, verdict):
    model = StoredModel(file="m", op="f", release="1.0.0", loader="x", data=b"", attrs=before)
    result = later._compare_attrs(model, after)
    assert result.verdict == verdict
    assert result.reason.startswith("1.0.0 takes ") is (verdict == "changed")

"""The advice for attrs that a release lacks, by what is known of the default and of later releases."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.tensorflow.saved.graphs.remedies import for_attr

CASES = {
    "the default": (None, True, "strip_default_attrs=True"),
    "nothing is known": (None, None, "save the model without attrs at their defaults, or load it with a release"),
    "a later release, and no default": ("2.4", None, "load it with TensorFlow 2.4 or later"),
    "a later release, and another value": ("2.4", False, "load it with TensorFlow 2.4 or later"),
    "no release, and another value": (None, False, "load it with a release in which 'X' has 'y', or export"),
}


@pytest.mark.parametrize(("since", "is_default", "expected"), CASES.values(), ids=CASES)
def test_advice_for_an_attr(since, is_default, expected):
    assert expected in for_attr("X", "y", since, is_default=is_default)

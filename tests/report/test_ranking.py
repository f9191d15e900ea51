"""Which breaks a reviewer sees first."""

from __future__ import annotations

import pytest

from opspec_lint.report.ranking import first_breaks
from tests.support.findings import finding

BOTH, ONE = ("backward", "forward"), ("backward",)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("relu", ONE, "attr"), ("relu_grad", BOTH, "attr")),
        (("Acos", ONE, "attr"), ("_FusedConv2D", BOTH, "attr")),
        (("zeros", BOTH, "attr"), ("abs", ONE, "attr")),
        (("zeros", ONE, "attr"), ("abs", ONE, "op")),
        (("abs", ONE, "attr"), ("zeros", ONE, "attr")),
    ],
)
def test_what_comes_first(first, second):
    found = [
        finding(rule=rule, op=op, directions=directions, kind=kind, level="error", field=None)
        for rule, (op, directions, kind) in (("b", second), ("a", first))
    ]
    assert [(each.op, more) for each, more in first_breaks(found, 5)] == [(first[0], 0), (second[0], 0)]

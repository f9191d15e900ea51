"""Schemas that a source declares under unknown conditions."""

from __future__ import annotations

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.frameworks.pytorch.schemas.table import Line, spec_of
from opspec_lint.spec.condition import ALWAYS, negation, requirement
from opspec_lint.spec.model import Provenance

IF_A = requirement("defined(A)")
IF_B = requirement("defined(B)")


def spec(*conditions, text="a::f(Tensor x) -> Tensor"):
    lines = [
        Line(text, "f.cc", 10 * n, condition=condition, condition_line=10 * n - 1)
        for n, condition in enumerate(conditions, 1)
    ]
    return spec_of(lines, "tree", Provenance(framework="pytorch", made_by="pytorch-source"))


@pytest.mark.parametrize(
    ("base", "head", "event"),
    [
        ([ALWAYS], [IF_A], "op_condition_added"),
        ([IF_A], [ALWAYS], "op_condition_dropped"),
        ([IF_A], [IF_B], "op_condition_added"),
        ([IF_A], [IF_A, IF_B], "op_condition_dropped"),
        ([ALWAYS], [IF_A, negation(IF_A)], None),
        ([ALWAYS], [IF_A, ALWAYS], None),
        ([IF_A, IF_B], [IF_B, IF_A], None),
        ([None], [IF_A], None),
    ],
)
def test_a_condition_is_compared(base, head, event):
    facts = [fact for fact in diff(spec(*base), spec(*head)) if fact.kind == "op"]
    assert [fact.event for fact in facts] == ([event] if event else [])
    if event:
        assert facts[0].origins[1].place == "f.cc:9"

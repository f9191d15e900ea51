"""An audit keeps a limited number of findings, and none that decides its verdict is left out."""

from __future__ import annotations

import pytest

from opspec_lint.models import audit
from opspec_lint.models.fault import NOT_FETCHED, model_fault, new_fault


def many(effect):
    return [
        new_fault(event="attr_unknown", kind="attr", op=f"Op{number}", name="a", effect=effect)
        for number in range(audit.MAX_FINDINGS + 50)
    ]


@pytest.mark.parametrize("effect", ["cannot_tell", "fails_at_run", "refused"])
def test_a_worse_fault_behind_many_is_kept(effect):
    worst = new_fault(event="op_unknown", kind="op", op="Last", effect=effect)
    merged = audit.merge_faults([*many("changed"), worst])
    assert [fault.op for fault in merged if fault.effect == effect] == ["Last"]
    assert len(merged) == audit.MAX_FINDINGS + 1


def test_a_file_that_was_not_fetched_is_kept():
    merged = audit.merge_faults([*many("loads"), model_fault(NOT_FETCHED, "weights.bin", "loads")])
    assert merged[-1].event == NOT_FETCHED


def test_what_changes_nothing_is_left_out():
    merged = audit.merge_faults([*many("refused"), *many("changed")])
    assert [fault.effect for fault in merged] == ["refused"] * audit.MAX_FINDINGS
